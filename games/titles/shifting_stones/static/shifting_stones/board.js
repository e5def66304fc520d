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
let refused = null; // the verb out of reach that was pressed: why it is stays until something else is done
let warned = false; // it was just told that the turn ends with stones chosen
let answering = false; // what is said answers a press that lacked something, and is marked until something else is done
let gone = null; // the stone that gave way to the newest one: why it did stays likewise
let lastCard = null;
let lastCell = "a1";
let placed = null; // the card with which it was told that its pattern may lie elsewhere
let passing = false; // arrow keys pass from card to card and choose each
let focused = null;
let slots = []; // the cards of the hand as this turn began, by their slots; those that have been played are still named

const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;

// --- what is missing ---------------------------------------------------------------------------------------------

const missing = {
  shift: () => (!chosenCard() ? "discard" : chosenCells().length !== 2 ? "shift" : ""),
  flip: () => (!chosenCard() ? "discard" : chosenCells().length !== 1 ? "flip" : ""),
  score: () => (!chosenCard() ? "score" : !chosenCard().dataset.pays ? "lies" : ""),
};

// Who ends the turn while stones are chosen is told once that nothing has been done with them.
const forgets = (verb) => ["end", "skip"].includes(verb) && chosenCells().length > 0 && !warned;

const refusal = () => warned ? "unmoved" : document.getElementById(`verb-${refused}`)?.dataset.why;
const isHinting = () => document.documentElement.dataset.glow !== "off";
const scorable = () => all("#hand [data-pays]");
const isLastCard = () => all("#hand input").length === 1; // with which the turn ends, whatever it is used for
const isMarked = () => isLastCard() || answering && Boolean(refusal() ?? wanted());

// What the verb that was pressed still needs; first that it discards a card that could be scored.
function wanted() {
  const lacks = missing[meant]?.();
  if (["shift", "flip"].includes(lacks) && !chosenCells().length && chosenCard().dataset.pays) return "loses";
  return lacks === "shift" && chosenCells().length ? "second" : lacks;
}

// Whether the pattern of a card may lie elsewhere than it is laid over the stones; it is told with one card and no other.
function tellsPlace(card) {
  const mayMove = document.getElementById(`ghost-${card.value}`)?.dataset.free !== undefined;
  if (isHinting() && mayMove) placed ??= card.value;
  return placed === card.value;
}

// What the choice costs or pays.
function advice() {
  const first = refusal() ?? wanted();
  if (first) return first;
  const card = chosenCard();
  const stones = chosenCells().length;
  if (stones && card?.dataset.pays) return "loses";
  if (stones) return (card ? ["one", "two"] : ["flipping", "shifting"])[stones - 1];
  if (card) return card.dataset.pays ?? (tellsPlace(card) ? "place" : "card");
  if (isLastCard()) return "last";
  return isHinting() && scorable().length ? "glowing" : "start";
}

// Score is out of reach while no card can be scored, and says so; who plays without hints finds that out alone.
function reach() {
  const why = isHinting() && !scorable().length ? words.none : undefined;
  const score = document.getElementById("verb-score");
  for (const [name, value] of Object.entries({ "aria-disabled": why && "true", "data-why": why, title: why })) {
    value ? score.setAttribute(name, value) : score.removeAttribute(name);
  }
}

// Marked, so that they are seen, are the answer to a press that lacks something and all that is said of a last card.
function say(key, names = chosenCells().map((cell) => cell.value)) {
  const hint = document.getElementById("hint");
  const text = (words[key] ?? key).replace(/\{(\d)\}/g, (_, n) => names[n] ?? "");
  if (hint && hint.textContent !== text) hint.textContent = text;
  hint?.classList.toggle("marked", isMarked());
  observer.takeRecords();
}

// Why a stone gave way: it is not next to the newest one, or two others are.
function part() {
  const [newest, other] = chosenCells();
  if (other) say("pair");
  else say("apart", [gone, newest?.value]);
}

function show() {
  if (!playing()) return;
  reach();
  for (const [verb, lacks] of Object.entries(missing)) {
    const button = document.getElementById(`verb-${verb}`);
    button.classList.toggle("ready", !lacks() && [null, verb].includes(meant));
    verb === meant ? button.setAttribute("aria-pressed", "true") : button.removeAttribute("aria-pressed");
  }
  if (chosenCard() || chosenCells().length || all("#hand input").length) {
    gone ? part() : say(advice());
  }
  lastCard = chosenCard()?.value ?? null;
  observer.takeRecords(); // what is written here is not a push
}

// --- the hand ----------------------------------------------------------------------------------------------------

// Cards keep their slots until the turn ends: where one was played stands an empty slot. More than four slots are so many
// until then (board.css).
function keepSlots() {
  const held = all("#hand input").map(({ value }) => value);
  const isSameTurn = playing() && slots.filter((card) => held.includes(card)).join() === held.join();
  if (!isSameTurn) slots = held;
  const hand = document.getElementById("hand");
  if (slots.length > 4) hand.dataset.slots = slots.length;
  else hand?.removeAttribute("data-slots");
  const empty = all("#hand .slot");
  const inOrder = slots.map((card) => document.getElementById(`held-${card}`) ?? empty.shift());
  for (const [number, each] of [...inOrder, ...empty].entries()) each.dataset.place = number;
}

// --- choosing ----------------------------------------------------------------------------------------------------

// A stone that is not next to the newest one is deselected, so that any second tap makes a valid choice. Return the last.
// To flip, one stone takes the place of another; who chooses a stone does not score.
function giveWay(latest) {
  const others = chosenCells().filter((cell) => cell !== latest);
  if (meant === "score") meant = null;
  if (meant === "flip") {
    for (const cell of others) cell.checked = false;
    return null;
  }
  const kept = others.find((cell) => cell.value === lastCell && near(cell.value, latest.value))
    ?? others.find((cell) => near(cell.value, latest.value));
  for (const cell of others) cell.checked = cell === kept;
  return others.findLast((cell) => cell !== kept)?.value;
}

// What was last answered or told is over, as something else is done.
function moveOn() {
  refused = gone = null;
  warned = answering = false;
}

function clear() {
  for (const input of all("#hand :checked, #stones :checked")) input.checked = false;
  meant = null;
  moveOn();
}

// Do what a verb says, or say what it needs.
function press(verb) {
  document.getElementById(`verb-${verb}`)?.click();
}

document.addEventListener("change", ({ target }) => {
  if (!board()?.contains(target)) return;
  moveOn();
  const isCell = target.name === "cell";
  if (isCell && target.checked) gone = giveWay(target);
  if (isCell) lastCell = target.value;
  show();
  const isLast = isCell || meant === "score" && !passing;
  if (isLast && target.checked && missing[meant]?.() === "") press(meant);
});

// Where a single card glows, who presses Score means that one.
function chooseTheOnly() {
  const [card, ...others] = scorable();
  if (!card || others.length || chosenCard() || !isHinting()) return;
  card.checked = true;
  show();
}

// A verb can always be pressed: it does what it says, or says what it needs and stays chosen until another verb is pressed.
// With its last stone it is done, and Score with its card, unless arrow keys have only come to it. What discards a card waits
// for another press after the card.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#stones-board .verbs button");
  if (button?.value === "score") chooseTheOnly();
  const why = button?.dataset.why;
  const isForgetting = forgets(button?.value);
  if (!button || !(why || isForgetting || missing[button.value]?.())) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  gone = null;
  if (why) refused = button.value;
  else if (!isForgetting) [meant, refused] = [button.value, null];
  warned = isForgetting;
  answering = true;
  show();
}, true);

// A second tap on the chosen card deselects it.
let wasChosen = null;
document.addEventListener("pointerdown", ({ target }) => {
  if (!board()?.contains(target)) focused = null;
  passing = false;
  const radio = target.closest?.("#hand label")?.querySelector("input");
  wasChosen = radio?.checked ? radio : null;
});
document.addEventListener("click", ({ target }) => {
  if (target.name !== "card" || target !== wasChosen) return;
  target.checked = false;
  wasChosen = null;
  moveOn();
  show();
});

// --- keys --------------------------------------------------------------------------------------------------------

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const VERBS = { x: "shift", f: "flip", s: "score", e: "end" };
const SKIP = "d"; // only goes to its button, as nothing is asked before a turn is skipped

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
  } else if (VERBS[key]) {
    press(VERBS[key]);
  } else if (key === SKIP) {
    document.getElementById("verb-skip")?.focus();
  } else if (/^[1-9]$/.test(key)) {
    const card = document.getElementById(`card-${slots[key - 1]}`);
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
  passing = event.target.name === "card" && event.key in STEPS;
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
  keepSlots();
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
