// The reveal: when a turn is revealed it lies on the table until all of it is told. Its piles are turned over one after the
// other and go to whoever took them, and the count of a challenge that has ended comes after them; the page keeps the
// outcome to itself until then, and its numbers grow with every pile. You can step through them both ways, or turn up all
// at once. The first turns over by itself; who plays turns over the others and goes on from there, while for spectators and
// in lessons these turn over, and leave, by themselves too, but for the count of a challenge. To somebody who comes back a
// dot says that there is a turn they have not seen. Nothing is lost without this: the last turn is always there, all at once.

import { isFirstMatch, keepSeenTurn, seenTurn } from "./memory.js";

const PACE = 1500;
const LAST = 3 * PACE; // so long the last pile is seen, and with it all that the turn brought, before the table is there again
const HASTE = 400; // so long the end of a double press goes on to nothing that has only just come
const still = matchMedia("(prefers-reduced-motion: reduce)");
const words = document.getElementById("board-words")?.dataset ?? {};
const root = document.documentElement;
const board = () => document.getElementById("chess-board");
const sheet = () => document.getElementById("last-turn");
const piles = () => [...(sheet()?.querySelectorAll(".pile") ?? [])];
const key = () => board()?.dataset.revealed ?? "";
const isMatch = Boolean(document.getElementById("match"));
const isTold = isMatch || Boolean(document.getElementById("lesson")); // elsewhere the last turn is no news

let known; // the key of the turn that is shown, undefined before the first board
let open = Infinity; // so many of its piles are turned over
let stepping = false; // whether one pile is pointed at
let telling = false; // whether piles are still turned over, so that the outcome is kept back
let since = Infinity; // the number of the action that revealed the turn: others may go on meanwhile
let timer = 0;
let seenFrom = 0; // when what lies on the table can be gone on from
let plays = false; // whether the reader plays in this match, also once it is over
let asked = false; // whether the turn lies on the table because its reader wanted to see it again
let keepsTable = false; // whether the board of a match that is over is as it was before

const length = () => Number(document.getElementById("match")?.dataset.length ?? Infinity);
const isReading = () => root.dataset.reading !== undefined;
const isOver = () => keepsTable || board().dataset.mode === "over";
const hasCount = () => board().dataset.counted !== undefined;
const isCounted = () => hasCount() && !isOver();
const isNew = () => isMatch && board().dataset.mode === "play" && isFirstMatch();
const waitsForReader = () => isCounted() || isNew();

// The last step: the last pile, or for a reader the count that comes after it.
const last = () => piles().length + Number(isReading() && sheet().querySelector(".outcome") !== null);

// --- showing -----------------------------------------------------------------------------------------------------

// So many piles are told: the one turned over last is still looked at, unless all of them lie open.
const settled = () => (telling && open < piles().length ? Math.max(0, open - 1) : open);

function showPiles() {
  const all = piles();
  open = Math.min(open, last());
  all.forEach((pile, index) => {
    pile.classList.toggle("covered", index >= open);
    pile.classList.toggle("current", index === open - 1 && all.length > 1 && stepping);
    pile.classList.toggle("flown", told !== null && pile.dataset.captor !== undefined && index < settled());
  });
  sheet()?.classList.toggle("unfinished", open < last());
}

// Where the next press leads, by the name of its words.
function stepTo() {
  if (isReading() && open < last()) return open === 0 ? "first" : open < piles().length ? "next" : "count";
  if (isOver()) return "over";
  if (asked) return "back";
  return plays ? "last" : "watch";
}

function showSteps() {
  const steps = sheet()?.querySelector(".steps");
  if (!steps) return;
  const count = piles().length;
  steps.hidden = false;
  document.getElementById("pile-number").textContent = open > count ? "" : words.step.replace("{0}", open).replace("{1}", count);
  for (const [id, ends] of [["pile-before", open === 0], ["pile-after", open === last()]]) {
    document.getElementById(id).setAttribute("aria-disabled", String(ends));
  }
  // While there is a reader, one button leads through all piles, to the count, and then on.
  const goes = steps.querySelector(".go-on");
  goes.textContent = goes.dataset[stepTo()];
  document.getElementById("pile-after").hidden = isReading();
  document.getElementById("show-piles").hidden = !isReading() || open >= count || count === 1;
}

// What the status line says of a turn that is told, or lies on the table until its reader goes on.
function heading() {
  if (!telling && !isReading()) return "";
  if (asked) return words.previous;
  if (open < piles().length && !plays) return words.revealing;
  if (open < piles().length) return piles().length > 1 ? words.turning : words.uncovering;
  return hasCount() && open >= last() ? words.counted : words.revealed;
}

// While the turn is being shown its outcome is kept back: status line and what the log says of it, whose lines keep their
// place so that nothing jumps. Of the next challenge, which takes more of them, the log says nothing before its reader goes on.
function showOutcome() {
  root.toggleAttribute("data-telling", telling);
  const instead = heading();
  const status = document.getElementById("status");
  instead ? status?.setAttribute("data-instead", instead) : status?.removeAttribute("data-instead");
  for (const line of document.querySelectorAll("#log-lines [data-number]")) {
    const isUntold = (telling || (hasCount() && isReading() && !asked)) && Number(line.dataset.number) >= since;
    line.classList.toggle("untold", isUntold);
    line.hidden = isUntold && hasCount();
  }
}

function update() {
  if (!board()) return;
  showPiles();
  credit();
  showSteps();
  showOutcome();
}

// --- numbers -----------------------------------------------------------------------------------------------------

// Gold, points and what is won, piles and realms, are shown as they were before the turn, and grow with each pile that is told.
// The places of a match that is over come with its end, and make no box higher before.
const numbers = () => [...document.querySelectorAll("[data-fact] dd, .badges, [id^='tally-']")];
const texts = () => numbers().map(({ innerHTML }) => innerHTML);

let before = []; // what they were on the board before
let told = null; // what they are while a turn is told
let present = []; // what they are in truth, where that is kept back
let credited = 0; // so many piles have been added

function hold() {
  numbers().forEach((number, index) => {
    if (told[index] === undefined) return;
    if (number.innerHTML !== told[index]) present[index] = number.innerHTML;
    else if (hasCount()) present[index] ??= told[index]; // the next challenge begins as this one was
    number.innerHTML = told[index];
  });
}

function release() {
  if (told) numbers().forEach((number, index) => { if (present[index] !== undefined) number.innerHTML = present[index]; });
  [told, present, before] = [null, [], texts()];
}

// What the turn did not change has nothing to grow to, and nothing to be put back to.
const isHeld = (number) => present[numbers().findIndex((each) => each.contains(number))] !== undefined;

const add = (number, by) => { if (number && isHeld(number)) number.textContent = Number(number.textContent) + by; };

// One more piece of a realm: from the second on a number stands beside it.
function addPiece(seat, card) {
  const [, colour, piece] = /#c-(.)(.)/.exec(card.getAttribute("href"));
  const figure = document.querySelector(`#realm-${seat}-${colour} [href="#figure-${piece}"]`)?.parentElement;
  if (!figure || !isHeld(figure)) return;
  if (figure.matches(".none")) figure.removeAttribute("class");
  else if (figure.nextElementSibling?.matches("i")) add(figure.nextElementSibling, 1);
  else figure.insertAdjacentHTML("afterend", "<i>2</i>");
}

function credit() {
  if (!told) return;
  for (const pile of piles().slice(credited, settled())) {
    credited += 1;
    const { captor, worth } = pile.dataset;
    if (captor === undefined) continue;
    const [beside, won] = [document.querySelectorAll("[data-fact=points] dd")[captor], document.getElementById(`tally-${captor}`)];
    for (const number of [beside, won?.querySelector(".points b")]) add(number, Number(worth));
    add(won?.querySelector(".tally b"), 1);
    for (const card of pile.querySelectorAll(".face use")) addPiece(captor, card);
  }
  told = texts();
}

// The count of a challenge says who has won its gold card.
function award() {
  numbers().forEach((number, index) => {
    if (present[index] === undefined) return;
    if (number.closest("[data-fact=gold]")) number.innerHTML = present[index];
    const truth = document.createRange().createContextualFragment(present[index]).querySelector(".gold");
    if (truth) number.querySelector(".gold").replaceWith(truth);
  });
  told = texts();
}

const named = (face) => document.getElementById(face.getAttribute("aria-labelledby"))?.textContent;

function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

function sayPile(pile) {
  const cards = [...pile.querySelectorAll(".face")].map(named).join(", ");
  say(`${cards}. ${pile.querySelector(".verdict").textContent}`);
}

// --- telling -----------------------------------------------------------------------------------------------------

// All piles are turned over: now the page may say how it went.
function finish() {
  clearInterval(timer);
  telling = stepping = false;
  open = Infinity;
  update();
  if (told && isCounted()) award();
  showCount();
  comeUp();
  if (!waitsForReader()) leave();
  showOutcome();
  // Of a step of a lesson, or of the match unless its reader has a challenge to look at first.
  const outcome = document.getElementById("praise") ?? (isCounted() ? null : document.getElementById("status"));
  say([...[".pile:last-child .verdict", ".counted"].map((part) => document.querySelector(part)), outcome].map((part) => part?.textContent).join(" "));
}

function tick() {
  const pile = piles()[open];
  if (!pile) return finish();
  open += 1;
  if (open >= piles().length) linger();
  update();
  comeUp(); // a press was meant for the pile before
  return sayPile(pile);
}

function linger() {
  clearInterval(timer);
  timer = setTimeout(finish, LAST);
}

// A reader who steps goes through the turn by hand from here on, until they go on.
function step(by) {
  clearInterval(timer);
  open = Math.max(0, Math.min(last(), open + by));
  stepping = true;
  if (open === last() && !isOver()) telling = false;
  update();
  if (open > piles().length) return reachCount();
  return by > 0 && sayPile(piles()[open - 1]);
}

// The count of a challenge comes after its last pile.
function reachCount() {
  if (told && hasCount()) award();
  sheet().querySelector(".go-on").scrollIntoView({ block: "nearest" });
  say(sheet().querySelector(".counted").textContent);
}

function showAll() {
  step(piles().length - open);
  comeUp();
  sheet().querySelector(".go-on").focus({ preventScroll: true });
}

// What has come up is seen before it can be gone on from.
const comeUp = () => { seenFrom = performance.now() + HASTE; };

// The count of a challenge waits for its reader, and is seen with the button that goes on from it.
function showCount() {
  if (isCounted()) sheet().querySelector(".go-on").scrollIntoView({ block: "nearest" });
}

// The turn takes the table, and is seen from its heading on.
function enter() {
  comeUp();
  root.dataset.reading = "";
  sheet().querySelector("header").scrollIntoView({ block: "nearest" });
}

// Where it is shown depends on the layout, and to ask for that costs as much as the swap of the board: it is asked in a
// task of its own, just before the board is painted.
const beforePaint = (work) => { document.hidden ? work() : requestAnimationFrame(work); };

function stage() {
  clearInterval(timer);
  root.dataset.reading = "";
  delete root.dataset.unseen;
  [asked, told, credited] = [false, told ?? before, 0];
  hold();
  stepping = telling = !still.matches;
  since = length();
  if (still.matches) {
    enter();
    return finish();
  }
  open = 0;
  timer = plays ? setTimeout(() => step(1), PACE / 2) : setInterval(tick, PACE); // who has confirmed waits for cards to turn over
  say(heading());
  update();
  return beforePaint(() => {
    if (!telling || !sheet()) return;
    enter();
    holdFocus();
  });
}

// What had the focus went away with the old board: the button that goes on takes it.
function holdFocus() {
  const active = document.activeElement;
  const isLost = [document.body, document.getElementById("status"), null].includes(active);
  const isHidden = board().contains(active) && !sheet().contains(active);
  if (isLost || isHidden) sheet().querySelector(".go-on")?.focus({ preventScroll: true });
}

// --- going on ----------------------------------------------------------------------------------------------------

// The board comes back, or what it is once the match is over.
function leave() {
  delete root.dataset.reading;
  clearTable();
  showSteps();
  release();
  if (isMatch) keepSeenTurn(key());
}

// The next pile, or the count, and then the board. Who presses too often sees what the last ones brought all the same.
function goNext() {
  if (open >= last()) return goOn();
  step(1);
  return open >= piles().length && comeUp();
}

function goOn() {
  const held = sheet().contains(document.activeElement);
  if (telling) {
    stepping = false;
    finish();
    if (isCounted()) return held && sheet().querySelector(".go-on").focus({ preventScroll: true });
  }
  leave();
  showOutcome();
  if (!held) return undefined;
  return (asked ? document.getElementById("show-turn") : document.querySelector("#hand input:enabled") ?? document.getElementById("status"))?.focus({ preventScroll: true });
}

// The next step of a lesson is about what comes after the turn.
function moveOn() {
  if (telling) finish();
  goOn();
}

// Somebody wants to see the last turn again, all of it.
function look() {
  if (isReading()) return goOn();
  if (!piles().length || !document.getElementById("show-turn")?.checkVisibility()) return undefined;
  delete root.dataset.unseen;
  [asked, stepping, open] = [true, true, Infinity];
  enter();
  update();
  return sheet().querySelector(".go-on").focus({ preventScroll: true });
}

document.addEventListener("click", ({ target, isTrusted }) => {
  if (target.closest?.("#pile-before")) step(-1);
  if (target.closest?.("#pile-after")) step(1);
  if (target.closest?.("#show-turn")) look();
  if (target.closest?.("#lesson #next") && isReading()) moveOn();
  if (isTrusted && performance.now() < seenFrom) return;
  if (target.closest?.("#last-turn .go-on")) goNext();
  if (target.closest?.("#show-piles")) showAll();
});

const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1) };

function actionFor({ target, key: pressed }) {
  if (pressed === "t") return look;
  if (pressed === "Escape" && isReading()) return goOn;
  return (isReading() || sheet().contains(target)) && keys[pressed];
}

document.addEventListener("keydown", (event) => {
  const elsewhere = event.target.closest("input:not([type=radio]), select, textarea, dialog");
  if (event.ctrlKey || event.altKey || event.metaKey || elsewhere || !sheet()) return;
  const action = actionFor(event);
  if (!action) return;
  event.preventDefault();
  action();
});

// --- the end of the match ------------------------------------------------------------------------------------------

// A match that is over has no table. Until its last turn is told that stays all the same, with the hand and the line
// below it, so that this turn lies where all others did.
let table = []; // the table, the hand and the line, as they were last
let mode = "";

function keepTable() {
  table = ["felt", "hand", "hint"].map((id) => document.getElementById(id));
  ({ mode } = board().dataset);
}

function layTable() {
  const [felt, hand, hint] = table;
  document.getElementById("stands").after(...[felt, hand].filter(Boolean));
  if (hint) document.getElementById("verbs").prepend(hint);
  keepsTable = true;
  board().dataset.mode = mode;
}

function clearTable() {
  if (!keepsTable) return;
  for (const each of table) each?.remove();
  keepsTable = false;
  board().dataset.mode = "over";
}

// --- boards ------------------------------------------------------------------------------------------------------

// A reader who comes back to a turn they have not moved on from is told so by a dot: the board is what they came for.
// Only the count of a challenge is shown at once. Unless what happened is told from the turn before: then this one is
// revealed as it was when the telling comes to it.
function comeBack() {
  if (!isMatch || !key() || key() === seenTurn() || document.getElementById("past")?.dataset.from) return;
  if (isCounted()) {
    since = length() - document.querySelectorAll(".player:not(.to-move)").length; // who has confirmed since
    enter();
    beforePaint(showCount);
  } else if (isMatch && !isOver()) root.dataset.unseen = "";
}

// The board shows what it was before: nothing is revealed in the past.
function lookBack() {
  clearInterval(timer);
  telling = false;
  open = Infinity;
  delete root.dataset.reading;
  keepsTable = false; // it is another board
  release();
  known = key();
}

function arrive() {
  if (!board()) return;
  if (told) hold();
  if (!isOver()) plays = isMatch && board().dataset.mode !== "watch";
  if (isTold) {
    if (root.dataset.past !== undefined) lookBack();
    else if (known === undefined) comeBack();
    else if (key() && key() !== known) stage();
  } else if (key() !== known) open = Infinity;
  known = key();
  if (!isOver()) keepTable();
  else if (isReading() && table.length) layTable();
  update();
  if (!told) before = texts();
}

document.addEventListener("htmx:after:swap", arrive);
arrive();
