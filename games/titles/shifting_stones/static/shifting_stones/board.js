// Choosing: what each verb still needs, two stones at most, arrow keys, shortcuts, and a focus that survives pushes.
// The board is a form and works without this script, which only reads and writes its inputs.

const words = document.getElementById("board-words")?.dataset ?? {};
const board = () => document.getElementById("stones-board");
const playing = () => board()?.dataset.mode === "play";
const all = (selector) => [...(board()?.querySelectorAll(selector) ?? [])];
const cells = () => all("#stones input");
const chosenCard = () => board()?.querySelector("#hand :checked");
const chosenCells = () => all("#stones :checked");

let meant = null; // the verb that was pressed before all that it needs was chosen
let lastCard = null;
let lastCell = "a1";
let focused = null;

const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;

// --- what is missing ---------------------------------------------------------------------------------------------

const missing = {
  shift: () => (!chosenCard() ? "discard" : chosenCells().length !== 2 ? "shift" : ""),
  flip: () => (!chosenCard() ? "discard" : chosenCells().length !== 1 ? "flip" : ""),
  score: () => (!chosenCard() ? "score" : !chosenCard().dataset.pays ? "lies" : ""),
};

const glows = () => document.documentElement.dataset.glow !== "off" && board().querySelector("#hand [data-pays]");

// What the verb that was pressed still needs; first that it discards a card that could be scored.
function wanted() {
  const lacks = missing[meant]?.();
  if (["shift", "flip"].includes(lacks) && !chosenCells().length && chosenCard().dataset.pays) return "loses";
  return lacks === "shift" && chosenCells().length ? "second" : lacks;
}

// What the choice costs or pays.
function advice() {
  if (wanted()) return wanted();
  const card = chosenCard();
  const stones = chosenCells().length;
  if (stones && card?.dataset.pays) return "loses";
  if (stones) return (card ? ["one", "two"] : ["flipping", "shifting"])[stones - 1];
  if (card) return card.dataset.pays ?? "card";
  return glows() ? "glowing" : "start";
}

// `refusing` marks the answer to a press that lacks something, so that it is seen.
function say(key, refusing = false) {
  const hint = document.getElementById("hint");
  const names = chosenCells().map((cell) => cell.value);
  const text = (words[key] ?? key).replace(/\{(\d)\}/g, (_, n) => names[n] ?? "");
  if (hint && hint.textContent !== text) hint.textContent = text;
  hint?.classList.toggle("refusing", refusing);
  observer.takeRecords();
}

function show(gone = []) {
  if (!playing()) return;
  for (const [verb, lacks] of Object.entries(missing)) {
    const button = document.getElementById(`verb-${verb}`);
    button.classList.toggle("ready", !lacks() && [null, verb].includes(meant));
    verb === meant ? button.setAttribute("aria-pressed", "true") : button.removeAttribute("aria-pressed");
  }
  if (chosenCard() || chosenCells().length || all("#hand input").length) {
    say(gone.length ? words.gone.replace("{0}", gone.join(", ")) : advice());
  }
  lastCard = chosenCard()?.value ?? null;
  observer.takeRecords(); // what is written here is not a push
}

// --- choosing ----------------------------------------------------------------------------------------------------

// A stone that is not next to the newest one is deselected, so that any second tap makes a valid choice. Return which.
// To flip, one stone takes the place of another; who chooses a stone does not score.
function giveWay(latest) {
  const others = chosenCells().filter((cell) => cell !== latest);
  if (meant === "score") meant = null;
  if (meant === "flip") {
    for (const cell of others) cell.checked = false;
    return [];
  }
  const kept = others.find((cell) => cell.value === lastCell && near(cell.value, latest.value))
    ?? others.find((cell) => near(cell.value, latest.value));
  for (const cell of others) cell.checked = cell === kept;
  return others.filter((cell) => cell !== kept).map((cell) => cell.value);
}

function clear() {
  for (const input of all("#hand :checked, #stones :checked")) input.checked = false;
  meant = null;
}

// Do what a verb says, or say what it needs.
function press(verb) {
  document.getElementById(`verb-${verb}`)?.click();
}

document.addEventListener("change", ({ target }) => {
  if (!board()?.contains(target)) return;
  const isCell = target.name === "cell";
  const gone = isCell && target.checked ? giveWay(target) : [];
  if (isCell) lastCell = target.value;
  show(gone);
  if (isCell && target.checked && missing[meant]?.() === "") press(meant);
});

// A verb can always be pressed: it does what it says, or says what it needs and stays chosen until another verb is pressed.
// With its last stone it is done; a card may only be passed by the arrow keys, so after a card it waits for another press.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#stones-board .verbs button");
  const lacks = button && (missing[button.value]?.() || button.dataset.why);
  if (!lacks) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (missing[button.value]) {
    meant = button.value;
    show();
  }
  say(wanted() ?? lacks, true);
}, true);

// A second tap on the chosen card deselects it.
let wasChosen = null;
document.addEventListener("pointerdown", ({ target }) => {
  if (!board()?.contains(target)) focused = null;
  const radio = target.closest?.("#hand label")?.querySelector("input");
  wasChosen = radio?.checked ? radio : null;
});
document.addEventListener("click", ({ target }) => {
  if (target.name !== "card" || target !== wasChosen) return;
  target.checked = false;
  wasChosen = null;
  show();
});

// --- keys --------------------------------------------------------------------------------------------------------

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const VERBS = { x: "shift", f: "flip", s: "score", e: "end", d: "skip" };

function step(from, [right, down]) {
  const name = String.fromCharCode(from.charCodeAt(0) + right, from.charCodeAt(1) + down);
  return document.getElementById(`cell-${name}`);
}

function rove() {
  for (const cell of cells()) cell.tabIndex = cell.value === lastCell ? 0 : -1;
}

function onKey(event) {
  const { target, key } = event;
  if (target.name === "cell" && STEPS[key]) {
    step(target.value, STEPS[key])?.focus();
  } else if (target.id === "status" && STEPS[key]) {
    document.getElementById(`cell-${lastCell}`)?.focus();
  } else if (key === "Enter" && (target.name === "cell" || target.name === "card")) {
    target.click();
  } else if (key === "Escape") {
    clear();
    show();
    say("start");
  } else if (VERBS[key]) {
    press(VERBS[key]);
  } else if (/^[1-9]$/.test(key)) {
    const card = all("#hand input")[key - 1];
    card?.focus();
    card?.click();
  } else {
    return;
  }
  event.preventDefault();
}

// After an action, and when a turn begins, the focus may lie on the status line or nowhere: keys go on from there.
function hears(target) {
  return board().contains(target) || target === document.body || target.id === "status";
}

document.addEventListener("keydown", (event) => {
  const bare = !event.ctrlKey && !event.altKey && !event.metaKey;
  if (bare && playing() && hears(event.target)) onKey(event);
});

document.addEventListener("focusin", ({ target }) => {
  focused = board()?.contains(target) ? target.id : null;
  if (target.name === "cell") {
    lastCell = target.value;
    rove();
  }
});

// --- pushes ------------------------------------------------------------------------------------------------------

function refresh() {
  if (lastCard && !document.getElementById(`card-${lastCard}`)) clear(); // it has been played, and with it the choice
  if (!playing()) {
    clear();
    lastCard = null;
  }
  rove();
  show();
  const lost = focused && document.activeElement === document.body && document.getElementById(focused);
  if (lost && !lost.matches(":disabled")) lost.focus({ preventScroll: true });
}

const observer = new MutationObserver((records) => {
  const here = board();
  if (!here || !records.some(({ target }) => here.contains(target) || target.contains(here))) return;
  refresh();
  observer.takeRecords();
});

const page = document.getElementById("page");
if (page) {
  refresh();
  observer.observe(page, { subtree: true, childList: true, attributes: true });
}
