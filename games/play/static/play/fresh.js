// A new board: for a moment the buttons that send an action are deaf, for a second tap meant for the board before may
// land where the new one has another button. Whoever chooses something on the new board wakes them at once.

const DEAF = 500;
const page = document.getElementById("page");
const match = () => document.getElementById("match");
const position = () => `${match()?.dataset.status} ${match()?.dataset.length}`;

let shown = position();
let timer;

function wake() {
  clearTimeout(timer);
  page.removeAttribute("data-fresh");
}

if (page) {
  new MutationObserver(() => {
    if (position() === shown) return;
    shown = position();
    page.dataset.fresh = "";
    clearTimeout(timer);
    timer = setTimeout(wake, DEAF);
  }).observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-status", "data-length"] });

  document.addEventListener("input", ({ target }) => { if (match()?.contains(target)) wake(); }, true);

  document.addEventListener("click", (event) => {
    if (!page.hasAttribute("data-fresh") || !event.target.closest?.("#match button[name=verb]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
