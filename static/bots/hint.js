// A hint: asked for by its button, looked for until it is found, and marked on the board as long as the position stands.
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
  said("");
}

// The field that is meant, and what of it can be seen.
function shown(name, values) {
  const fields = [...document.querySelectorAll(`#board [name="${CSS.escape(name)}"]`)];
  const fits = (value) => (field) => field.value === value || field.value.startsWith(`${value}:`);
  const field = values.map((value) => fields.find(fits(value))).find(Boolean);
  return field && (field.closest("label") ?? field.closest("foreignObject, [role=gridcell]") ?? field);
}

function mark(marks) {
  const numbers = new Map();
  for (const [name, ...values] of marks) {
    const seen = shown(name, values);
    if (!seen) continue;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const several = marks.filter(([other]) => other === name).length > 1;
    seen.dataset.hint = several ? String(number) : "";
  }
  document.querySelector("[data-hint]")?.scrollIntoView({ block: "center" });
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

async function ask(button) {
  const line = document.getElementById("hint-said");
  const since = version();
  clear();
  said(line.dataset.wait);
  button.setAttribute("aria-disabled", "true");
  try {
    const body = new FormData(button.form);
    const answer = await fetch(button.formAction, { method: "POST", body });
    const hint = answer.ok ? await look(button.formAction, since) : {};
    if (version() !== since) return clear();
    if (hint.found) mark(hint.marks);
    said(hint.found ? hint.why || line.dataset.marked : line.dataset.none);
  } catch {
    said(line.dataset.none);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#ask-hint");
  if (!button) return;
  event.preventDefault();
  if (!button.hasAttribute("aria-disabled")) ask(button);
}, { capture: true });

let shownVersion = version();
document.addEventListener("htmx:after:swap", () => {
  if (version() === shownVersion) return;
  shownVersion = version();
  clear();
});
