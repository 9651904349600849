// Addresses behind the "#": a page, what it is about, and how it is looked at, so that every view can be linked to.

/** The place where we are: `page`, `rest` (what it is about), `query`. */
export function here() {
  const [path, words = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/").map(decode);
  return { page: page || "resources", rest: rest.join("/"), query: new URLSearchParams(words) };
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Go to a page. */
export function go(hash) {
  location.hash = hash;
}

/** Say in the address how the page is looked at, without going anywhere. */
export function remember(values) {
  const [path] = location.hash.split("?");
  const words = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== "" && v !== null && v !== false));
  const text = words.toString();
  history.replaceState(null, "", text ? `${path || "#/resources"}?${text}` : path || "#/resources");
}
