// What moves on the board of Shifting Stones (play/moving.js): stones swap and turn, cards travel to their pile.

export const BOARD = "stones-board";

const PAIRS = { sun: "moon", fish: "bird", horse: "boat", seed: "tree" };

const faceOf = (stone) => stone.className.match(/f-(\w+)/)[1];
const turned = (one, other) => PAIRS[one] === other || PAIRS[other] === one;
const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;
const faceIn = (pile) => pile?.querySelector("use")?.getAttribute("href") ?? "";
const board = () => document.getElementById(BOARD);
const stoneAt = (cell) => board().querySelector(`#stones [data-cell="${cell}"]`);

export function look(here, { place }) {
  return {
    stones: new Map([...here.querySelectorAll("#stones .stone")].map((stone) => [stone.dataset.cell, faceOf(stone)])),
    hand: new Map([...here.querySelectorAll("#hand .pattern")].map((card) => [card.querySelector("input").value, place(card)])),
    top: faceIn(here.querySelector("#discard-pile > summary")),
    chips: new Map([...here.querySelectorAll(".standing .chips")].map((row) => [row.closest("details").id, row.children.length])),
  };
}

function slide(from, to, raised, { animate, place }) {
  const [start, end] = [place(stoneAt(from)), place(stoneAt(to))];
  const [left, top, zIndex] = [start.left - end.left, start.top - end.top, raised ? 2 : 1];
  animate(stoneAt(to), [
    { transform: `translate(${left}px, ${top}px)`, zIndex },
    { transform: `translate(${left / 2}px, ${top / 2}px) scale(${raised ? 1.08 : 0.95})`, zIndex },
    { transform: "none", zIndex },
  ]);
}

function turn(cell, oldFace, { animate, drawing, TIME }) {
  const stone = stoneAt(cell);
  const old = document.createElement("span");
  old.className = `stone f-${oldFace} leaving`;
  old.append(drawing(`#glyph-${oldFace}`, ""));
  stone.parentElement.append(old);
  const edge = "perspective(500px) rotateY(90deg)";
  const half = { duration: TIME / 2 };
  animate(old, [{ transform: "none" }, { transform: edge }], { ...half, easing: "ease-in", fill: "forwards" }).then(() => old.remove());
  animate(stone, [{ transform: `perspective(500px) rotateY(-90deg)` }, { transform: "none" }],
    { ...half, delay: TIME / 2, fill: "backwards", easing: "ease-out" });
}

function moveStones(before, now, stage) {
  const changed = [...now.stones].filter(([cell, face]) => before.stones.has(cell) && before.stones.get(cell) !== face);
  if (changed.length) stage.sound("stone");
  const [one, other] = changed.map(([cell]) => cell);
  const swapped = changed.length === 2 && near(one, other)
    && before.stones.get(one) === now.stones.get(other) && before.stones.get(other) === now.stones.get(one);
  if (swapped) {
    slide(one, other, true, stage);
    slide(other, one, false, stage);
    return;
  }
  for (const [cell, face] of changed) {
    const old = before.stones.get(cell);
    turned(old, face) ? turn(cell, old, stage) : stage.pop(stoneAt(cell));
  }
}

// A card that was scored lies among its player's chips (or in the closed list around them), one that was thrown away on the discard pile.
function travel(card, from, { fly, nearest, sound }) {
  const href = `#face-${card}`;
  const row = [...board().querySelectorAll(".standing details")].find((seat) => seat.querySelector(`use[href="${href}"]`));
  fly(href, from, nearest(row ? row.querySelector(".chips > :last-child") : board().querySelector("#discard-pile .face")));
  sound(row ? "capture" : "card");
}

function moveCards(before, now, stage) {
  const played = [...before.hand].filter(([card]) => !now.hand.has(card));
  for (const [card, from] of played) travel(card, from, stage);
  if (played.length) return;
  const scored = [...now.chips].filter(([row, count]) => count > (before.chips.get(row) ?? count));
  for (const [row] of scored) stage.pop(document.getElementById(row).querySelector(".chips > :last-child"));
  if (scored.length) stage.sound("capture");
  else if (now.top !== before.top) {
    stage.pop(board().querySelector("#discard-pile .face"));
    stage.sound("card");
  }
}

export function move(before, now, stage) {
  moveStones(before, now, stage);
  moveCards(before, now, stage);
}
