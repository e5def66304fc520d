// Choosing: a card of the hand, then its place. What is chosen is kept in the selects that work without this, and the
// places show it. What a chosen card does at each card of the table is written there; here it is said, and shown at a
// glance. Without a chosen card, those of the table explain themselves.

import { keepPlaced, placed } from "./memory.js";

const words = document.getElementById("board-words")?.dataset ?? {};
const board = () => document.getElementById("chess-board");
const playing = () => board()?.dataset.mode === "play";
const all = (selector) => [...(board()?.querySelectorAll(selector) ?? [])];
const cards = () => all("#hand input");
const places = () => all("button.place");
const slotOf = (card) => card.parentElement.dataset.slot;
const cardIn = (slot) => document.getElementById(`card-${slot}`);
const hrefOf = (card) => card.parentElement.querySelector("use").getAttribute("href");
const nameOf = (card) => document.getElementById(card.getAttribute("aria-labelledby"))?.textContent ?? "";
const chosen = () => board()?.querySelector("#hand :checked");

let picks = {}; // place to slot of the hand
let dealt = ""; // the cards they were made from

const tell = (text) => {
  const hint = document.getElementById("hint");
  if (hint && hint.textContent !== text) hint.textContent = text;
};
const sentence = (key, ...values) => (words[key] ?? "").replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");
const listed = (all) => (all.length > 1 ? sentence("and", all.slice(0, -1).join(", "), all.at(-1)) : all[0]);
const say = (...asked) => tell(sentence(...asked));

const isFull = () => places().every(({ value }) => picks[value]);

// --- showing -----------------------------------------------------------------------------------------------------

// What the chosen card would do at a card of the table.
const markOn = (column) => chosen() && column.querySelector(`.m${slotOf(chosen())}`);

function showPlace(place) {
  const slot = picks[place.value];
  const card = slot && cardIn(slot);
  const use = place.querySelector("use");
  card ? use.setAttribute("href", hrefOf(card)) : use.removeAttribute("href");
  const name = card ? sentence("holds", place.value, nameOf(card)) : sentence("empty", place.value);
  const mark = markOn(place.parentElement);
  place.setAttribute("aria-label", mark ? `${name}: ${mark.textContent}` : name);
  place.parentElement.dataset.fits = mark ? mark.classList.contains("yes") : "";
  place.parentElement.dataset.holds = slot ?? "";
  document.getElementById(`pick-${place.value}`).selectedIndex = slot ?? 0;
}

function advise() {
  const card = chosen();
  if (!card && !Object.keys(picks).length) return tell(board().dataset.news ?? (places().length > 1 ? words.start : words.alone));
  if (!card) return say(isFull() ? "ready" : "more");
  if (board().dataset.unmarked !== undefined) return say("where");
  const takes = all(`.m${slotOf(card)}.yes`).map((mark) => mark.closest(".column").dataset.place);
  const useless = board().dataset.blocking === undefined ? "useless" : "blocks";
  const told = sentence(takes.length ? (takes.length > 1 ? "several" : "takes") : useless, listed(takes));
  if (card.value.includes("#")) return tell(`${words.hash} ${told}`); // in two lines, as all is
  return tell(`${told} ${takes.length || useless === "blocks" ? words.where : words.keep}`);
}

function show() {
  if (!playing()) return;
  places().forEach(showPlace);
  const slots = Object.values(picks);
  for (const card of cards()) card.parentElement.classList.toggle("placed", slots.includes(slotOf(card)));
  keepPlaced(dealt, picks);
  const confirm = document.getElementById("confirm");
  isFull() ? confirm.removeAttribute("aria-disabled") : confirm.setAttribute("aria-disabled", "true");
  advise();
}

// --- choosing ----------------------------------------------------------------------------------------------------

const letGo = () => { const card = chosen(); if (card) card.checked = false; };

function put(slot, place) {
  for (const other of Object.keys(picks)) if (picks[other] === slot) delete picks[other];
  picks[place] = slot;
  letGo();
  show();
}

function takeBack(place) {
  const card = cardIn(picks[place]);
  delete picks[place];
  card.checked = true;
  show();
}

function use(place) {
  const card = chosen();
  if (card) put(slotOf(card), place.value);
  else if (picks[place.value]) takeBack(place.value);
  else tell(`${words.first} ${place.parentElement.dataset.about ?? ""}`);
}

function clear() {
  chosen() ? letGo() : (picks = {});
  show();
}

document.addEventListener("change", ({ target }) => {
  if (target.name === "card" && board()?.contains(target)) show();
});

document.addEventListener("click", ({ target }) => {
  const column = playing() && target.closest?.("#chess-board .column");
  if (column && (chosen() || target.closest("button.place"))) use(column.querySelector("button.place"));
  else if (column && column.dataset.about) tell(column.dataset.about);
});

// Confirming too early says what is missing; the button stays in reach of the keyboard.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#confirm")?.getAttribute("aria-disabled") !== "true") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say("missing");
}, true);

// A second tap on the chosen card drops it.
let wasChosen = null;
document.addEventListener("pointerdown", ({ target }) => {
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

const toHand = () => (chosen() ?? cards()[0])?.focus();
const toPlace = (number) => document.getElementById(`place-${number}`)?.focus();

const keys = {
  Escape: clear,
  s: () => document.getElementById("confirm")?.click(),
  g: () => document.getElementById("guide")?.togglePopover(),
};

const inHand = {
  ArrowUp: () => toPlace(1),
  ArrowDown: () => {},
  Enter: (card) => card.click(),
};

const atPlace = {
  ArrowLeft: ({ value }) => toPlace(Number(value) - 1),
  ArrowRight: ({ value }) => toPlace(Number(value) + 1),
  ArrowDown: toHand,
};

function onDigit(digit) {
  const card = chosen();
  if (card) return document.getElementById(`place-${digit}`) && put(slotOf(card), digit);
  cardIn(digit)?.focus();
  return cardIn(digit)?.click();
}

function actionFor({ target, key }) {
  if (/^[1-4]$/.test(key)) return onDigit;
  if (target.name === "card" && inHand[key]) return () => inHand[key](target);
  if (target.matches("button.place") && atPlace[key]) return () => atPlace[key](target);
  return keys[key];
}

document.addEventListener("keydown", (event) => {
  const bare = !event.ctrlKey && !event.altKey && !event.metaKey && !("reading" in document.documentElement.dataset);
  const here = board()?.contains(event.target) || event.target === document.body || event.target.id === "status";
  if (!bare || !playing() || !here || document.querySelector(":popover-open")) return;
  const action = actionFor(event);
  if (!action) return;
  event.preventDefault();
  action(event.key);
});

// --- boards ------------------------------------------------------------------------------------------------------

// The turn and its cards: what was placed is kept as long as they are the same.
const deal = () => [board().dataset.revealed, ...all("#hand use, .column .target use").map((use) => use.getAttribute("href"))].join();

// What was placed before the page was loaded is laid out again, as far as there are such cards and places.
const layOut = (kept) =>
  Object.fromEntries(Object.entries(kept).filter(([place, slot]) => document.getElementById(`place-${place}`) && cardIn(slot)));

// What had the focus before a board arrived; it may have been taken away, or the status line may have taken over.
let focused = "";
const isLost = () => [document.body, document.getElementById("status")].includes(document.activeElement);

document.addEventListener("htmx:before:swap", () => {
  focused = board()?.contains(document.activeElement) ? document.activeElement.id : "";
});

function arrive() {
  if (!playing()) return;
  if (dealt !== deal()) {
    dealt = deal();
    picks = layOut(placed(dealt));
    letGo();
  }
  show();
  const before = focused && isLost() && document.getElementById(focused);
  if (before && !before.matches(":disabled")) before.focus({ preventScroll: true });
}

document.addEventListener("htmx:after:swap", arrive);
arrive();
