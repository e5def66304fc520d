// Motion: after a push the board is compared with what it showed before, and what changed moves: stones swap and turn,
// cards travel to their pile. Nothing depends on it, and nothing moves when less motion is asked for.

const SVG = "http://www.w3.org/2000/svg";
const TIME = 220;
const EASE = "cubic-bezier(.3, .1, .2, 1)";
const PAIRS = { sun: "moon", fish: "bird", horse: "boat", seed: "tree" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

const board = () => document.getElementById("stones-board");
const faceOf = (stone) => stone.className.match(/f-(\w+)/)[1];
const turned = (one, other) => PAIRS[one] === other || PAIRS[other] === one;
const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;
const faceIn = (place) => place?.querySelector("use")?.getAttribute("href") ?? "";

function snapshot() {
  const here = board();
  const origin = here.getBoundingClientRect();
  const hand = [...here.querySelectorAll("#hand .pattern")].map((card) => {
    const { left, top, width } = card.getBoundingClientRect();
    return [card.querySelector("input").value, { left: left - origin.left, top: top - origin.top, width }];
  });
  return {
    stones: new Map([...here.querySelectorAll("#stones .stone")].map((stone) => [stone.dataset.cell, faceOf(stone)])),
    hand: new Map(hand),
    top: faceIn(here.querySelector("#discard-pile > summary")),
    chips: new Map([...here.querySelectorAll(".standing .chips")].map((row) => [row.closest("details").id, row.children.length])),
  };
}

const stoneAt = (cell) => board().querySelector(`#stones [data-cell="${cell}"]`);

function drawing(href, kind) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", href);
  svg.setAttribute("class", kind);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

function slide(from, to, raised) {
  const [start, end] = [stoneAt(from).getBoundingClientRect(), stoneAt(to).getBoundingClientRect()];
  const lift = raised ? " 0 6px" : "";
  stoneAt(to).animate(
    [
      { transform: `translate(${start.left - end.left}px, ${start.top - end.top}px)`, zIndex: raised ? 2 : 1 },
      { transform: `translate(${(start.left - end.left) / 2}px, ${(start.top - end.top) / 2}px) scale(${lift ? 1.08 : 0.95})`, zIndex: raised ? 2 : 1 },
      { transform: "none", zIndex: raised ? 2 : 1 },
    ],
    { duration: TIME, easing: EASE },
  );
}

function turn(cell, oldFace) {
  const stone = stoneAt(cell);
  const old = document.createElement("span");
  old.className = `stone f-${oldFace} leaving`;
  old.append(drawing(`#glyph-${oldFace}`, ""));
  stone.parentElement.append(old);
  const half = { duration: TIME / 2, fill: "both" };
  old.animate([{ transform: "none" }, { transform: "perspective(500px) rotateY(90deg)" }], { ...half, easing: "ease-in" })
    .finished.finally(() => old.remove());
  stone.animate([{ transform: "perspective(500px) rotateY(-90deg)" }, { transform: "none" }],
    { duration: TIME / 2, delay: TIME / 2, fill: "backwards", easing: "ease-out" });
}

function travel(card, from) {
  const here = board();
  const href = `#face-${card}`;
  const row = [...here.querySelectorAll(".standing details")].find((seat) => seat.querySelector(`use[href="${href}"]`));
  const goal = row ? row.querySelector(".chips > :last-child") : here.querySelector("#discard-pile .face");
  if (!goal) return;
  const [origin, end] = [here.getBoundingClientRect(), goal.getBoundingClientRect()];
  const [left, top] = [origin.left + from.left, origin.top + from.top];
  const ghost = drawing(href, "face travelling");
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${from.width}px` });
  document.body.append(ghost);
  ghost.animate(
    [{ transform: "none" }, { transform: `translate(${end.left - left}px, ${end.top - top}px) scale(${end.width / from.width})` }],
    { duration: TIME + 30, easing: EASE },
  ).finished.finally(() => ghost.remove());
}

const pop = (element) =>
  element?.animate([{ transform: "scale(1.5)", opacity: 0.3 }, { transform: "none", opacity: 1 }], { duration: TIME, easing: EASE });

function moveStones(before, now) {
  const changed = [...now.stones].filter(([cell, face]) => before.stones.has(cell) && before.stones.get(cell) !== face);
  const [one, other] = changed.map(([cell]) => cell);
  const swapped = changed.length === 2 && near(one, other)
    && before.stones.get(one) === now.stones.get(other) && before.stones.get(other) === now.stones.get(one);
  if (swapped) {
    slide(one, other, true);
    slide(other, one, false);
    return;
  }
  for (const [cell, face] of changed) {
    const old = before.stones.get(cell);
    turned(old, face) ? turn(cell, old) : pop(stoneAt(cell));
  }
}

function moveCards(before, now) {
  const played = [...before.hand].filter(([card]) => !now.hand.has(card));
  for (const [card, from] of played) travel(card, from);
  if (played.length) return;
  if (now.top !== before.top) pop(board().querySelector("#discard-pile .face"));
  for (const [row, count] of now.chips) {
    if (count > (before.chips.get(row) ?? count)) pop(document.getElementById(row).querySelector(".chips > :last-child"));
  }
}

let before = board() && snapshot();

// The first board of a page that waited for the match has nothing to be compared with.
function compare() {
  const now = snapshot();
  if (before && !still.matches && document.visibilityState === "visible") {
    moveStones(before, now);
    moveCards(before, now);
  }
  before = now;
}

const page = document.getElementById("page");
if (page) {
  const observer = new MutationObserver((records) => {
    const here = board();
    if (!here || !records.some(({ target }) => here.contains(target) || target.contains(here))) return;
    compare();
    observer.takeRecords();
  });
  observer.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["href", "class"] });
  addEventListener("resize", () => (before = board() ? snapshot() : before));
}
