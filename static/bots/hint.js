// A hint: asked for by its button, looked for until it is found, and marked on the board until its reader acts.
const PAUSE = 250;
const PATIENCE = 60; // times

const board = () => document.getElementById("match");
const version = () => board()?.dataset.version;

function said(text) {
  const line = document.getElementById("hint-said");
  if (line) line.textContent = text;
}

function clear() {
  for (const marked of document.querySelectorAll("[data-hint]")) delete marked.dataset.hint;
  const play = document.getElementById("hint-play");
  if (play) play.hidden = true;
  said("");
}

// The field that is meant, of equal ones the first that nothing else of the hint is about, and what of it can be seen: a
// button stands for those that are chosen by pressing it.
function shown(name, values, taken) {
  const fields = [...document.querySelectorAll(`#board [name="${CSS.escape(name)}"]`)].filter((field) => !taken.has(field));
  const fits = (value) => (field) => field.value === value || field.value.startsWith(`${value}:`);
  const field = values.map((value) => fields.find(fits(value))).find(Boolean);
  if (!field) return null;
  taken.add(field);
  const pressed = field.closest("[data-pressed]");
  if (pressed?.checkVisibility() === false) return field.checked ? null : document.getElementById(pressed.dataset.pressed);
  return field.closest("label") ?? field.closest("foreignObject, [role=gridcell]") ?? field;
}

// The last press sends what was chosen; a board with one button for that need not name it.
const SENDS = '#board button[form="act"]:not([type=button], [formaction])';

function markLastPress() {
  const buttons = [...document.querySelectorAll(SENDS)].filter((button) => button.checkVisibility());
  if (buttons.length === 1 && !document.querySelector(`${SENDS}[data-hint]`)) buttons[0].dataset.hint = "";
}

function mark(marks) {
  const numbers = new Map();
  const taken = new Set();
  for (const [name, ...values] of marks) {
    const seen = shown(name, values, taken);
    if (!seen) continue;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const several = marks.filter(([other]) => other === name).length > 1;
    seen.dataset.hint = several ? String(number) : "";
  }
  document.querySelector("[data-hint]")?.scrollIntoView({ block: "nearest" });
  markLastPress();
  document.dispatchEvent(new CustomEvent("hint-marked"));
}

async function look(address, since) {
  for (let times = 0; times < PATIENCE && version() === since; times += 1) {
    const answer = await fetch(`${address}found/?as=json`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return {};
    const hint = await answer.json();
    if (hint.found || !hint.wanted) return hint;
    await new Promise((done) => { setTimeout(done, PAUSE); });
  }
  return {};
}

async function sought(button) {
  const address = button.formAction;
  const since = version();
  said(document.getElementById("hint-said").dataset.wait);
  const headers = { Accept: "application/json" };
  const answer = await fetch(address, { method: "POST", body: new FormData(button.form), headers });
  if (answer.ok) return look(address, since);
  return answer.headers.get("Content-Type") === "application/json" ? answer.json() : {};
}

function show(hint) {
  if (hint.found) mark(hint.marks);
  document.getElementById("hint-play").hidden = !hint.found;
  const { marked, none } = document.getElementById("hint-said").dataset;
  said(hint.why || (hint.found ? marked : none));
}

// While its reader is not to move it is switched off.
const asking = () => document.querySelector("#ask-hint:enabled");
let wanted = false;
let busy = false;

// What others do in secret changes the version, and with it what a hint is known by, but not what it is for: until its
// reader acts, it is asked for again.
async function ask() {
  busy = true;
  while (wanted && asking()) {
    const since = version();
    clear();
    asking().setAttribute("aria-disabled", "true");
    const hint = await sought(asking()).catch(() => ({}));
    if (version() !== since) continue;
    show(hint);
    break;
  }
  busy = false;
  document.getElementById("ask-hint")?.removeAttribute("aria-disabled");
  if (!wanted) clear();
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#hint-read")) said("");
  const button = event.target.closest?.("#ask-hint");
  if (!button) return;
  event.preventDefault();
  wanted = true;
  if (!busy) ask();
}, { capture: true });

document.getElementById("act").addEventListener("submit", () => { wanted = false; });

let shownVersion = version();
document.addEventListener("htmx:after:swap", () => {
  if (version() === shownVersion) return;
  shownVersion = version();
  clear();
  wanted &&= Boolean(asking());
  if (wanted && !busy) ask();
});
