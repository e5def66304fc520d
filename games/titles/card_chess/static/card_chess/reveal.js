// The reveal: when a push brings a turn that was revealed, its piles are turned over one after the other. One can step
// through them, forth and back; on a phone they come as a sheet which is put away when one goes on. Nothing is lost
// without this: the last turn is always there, all at once.

const PACE = 1100;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const words = document.getElementById("board-words")?.dataset ?? {};
const board = () => document.getElementById("chess-board");
const sheet = () => document.getElementById("last-turn");
const piles = () => [...sheet().querySelectorAll(".pile")];

let revealed = board()?.dataset.revealed;
let open = Infinity; // so many piles are turned over
let timer = 0;

function show() {
  const all = piles();
  open = Math.min(open, all.length);
  all.forEach((pile, index) => {
    pile.classList.toggle("covered", index >= open);
    pile.classList.toggle("current", index === open - 1 && all.length > 1 && stepping);
  });
  const steps = sheet().querySelector(".steps");
  if (!steps) return;
  steps.hidden = false;
  document.getElementById("pile-number").textContent = words.step.replace("{0}", open).replace("{1}", all.length);
  for (const [id, ends] of [["pile-before", open === 0], ["pile-after", open === all.length]]) {
    document.getElementById(id).setAttribute("aria-disabled", String(ends));
  }
}

let stepping = false; // whether one pile is pointed at

function stop() {
  clearInterval(timer);
  timer = 0;
}

function tick() {
  open += 1;
  if (open >= piles().length) stop();
  update();
}

function step(by) {
  stop();
  stepping = true;
  open = Math.max(0, Math.min(piles().length, open + by));
  update();
}

function update() {
  show();
  observer.takeRecords();
}

function stage() {
  stop();
  stepping = !still.matches;
  open = still.matches ? Infinity : 0;
  if (!still.matches) timer = setInterval(tick, PACE);
  if (getComputedStyle(sheet()).display === "none") sheet().showPopover();
}

function toggle() {
  if (sheet().popover && getComputedStyle(document.getElementById("show-turn")).display !== "none") sheet().togglePopover();
  else sheet().querySelector("button")?.focus();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#pile-before")) step(-1);
  if (target.closest?.("#pile-after")) step(1);
});

const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1) };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !board() || event.target.closest("input:not([type=radio]), select, textarea, dialog")) return;
  const within = sheet().contains(event.target) || sheet().matches(":popover-open");
  const action = event.key === "t" ? toggle : within && keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

const observer = new MutationObserver((records) => {
  const here = board();
  if (!here || !records.some(({ target }) => here.contains(target) || target.contains(here))) return;
  if (here.dataset.revealed && here.dataset.revealed !== revealed) stage();
  revealed = here.dataset.revealed;
  update();
});

const root = document.getElementById("match")?.parentElement;
if (board() && root) {
  update();
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["class", "data-revealed", "hidden"] });
}
