// The icons of commands, by the names that a template may give; a name that is none gets that of a command.
import { drawing, h } from "./dom.js";

const ICONS = {
  archive: ["M3 4h14v3.5H3z", "M4.5 7.5V16h11V7.5", "M8 10.5h4"],
  bug: ["M7 7.5a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0z", "M3.5 8.5L7 10M3.5 15.5L7 13.5M16.5 8.5L13 10M16.5 15.5L13 13.5M10 4.5V3"],
  chart: ["M3.5 16.5h13", "M5.5 16.5v-5M10 16.5V4.5M14.5 16.5v-8"],
  clock: ["M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14", "M10 6v4.5l3 1.5"],
  command: ["M3.5 4.5h13v11h-13z", "M6 8l2.2 2L6 12M10 12.5h3.5"],
  database: ["M4 5.5c0-3.3 12-3.3 12 0s-12 3.3-12 0v9c0 3.3 12 3.3 12 0v-9", "M4 10c0 3.3 12 3.3 12 0"],
  download: ["M10 3.5v9M6 9l4 4 4-4", "M3.5 16.5h13"],
  flask: ["M8 3.5h4M8.5 3.5v5L4 16.5h12L11.5 8.5v-5", "M6 13h8"],
  gauge: ["M3 14a7 7 0 1 1 14 0", "M10 14l3.5-5", "M3 16.5h14"],
  key: ["M7 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7", "M9.5 9.5L16 3M13 6l2.5 2.5"],
  lock: ["M5 9h10v7.5H5z", "M7 9V6.5a3 3 0 0 1 6 0V9"],
  mail: ["M3 5h14v10.5H3z", "M3 5.5l7 5.5 7-5.5"],
  play: ["M6 4l10 6-10 6z"],
  refresh: ["M16 5v4h-4M4 15v-4h4", "M15.5 9A6 6 0 0 0 5 6.5L4 8M4.500 11A6 6 0 0 0 15 13.500l1-1.500"],
  rocket: ["M10 3c4 3 4 7 2.500 10h-5C6 10 6 6 10 3z", "M7 10l-3 2.500 1 3 2.500-2M13 10l3 2.500-1 3-2.500-2M10 15.500v2"],
  search: ["M9 4a5 5 0 1 0 0 10a5 5 0 1 0 0-10", "M12.800 12.800L16.500 16.500"],
  stop: ["M5 5h10v10H5z"],
  trash: ["M4 6h12M8 6V4h4v2M5.500 6l.800 10.500h7.400L14.500 6", "M8.500 9v5M11.500 9v5"],
  upload: ["M10 13V4M6 7.500l4-4 4 4", "M3.500 16.500h13"],
  warning: ["M10 3.500L17.500 16.500h-15z", "M10 8.500v3.500M10 14.300v.1"],
  wrench: ["M12 8.500L4.500 16 3 14.500 10.500 7a3.800 3.800 0 0 1 5-4L13 5.500 14.500 7 17 4.500a3.800 3.800 0 0 1-5 4z"],
};

/** The icon of a name. */
export function icon(name) {
  return h("span.icon", { "data-icon": name in ICONS ? name : "command" }, drawing(20, ...(ICONS[name] ?? ICONS.command)));
}
