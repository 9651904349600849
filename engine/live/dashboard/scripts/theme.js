// Before anything is drawn: the colours that were chosen here before; without a choice, those of the system.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("ulna-theme"); } catch { /* storage may be refused */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
