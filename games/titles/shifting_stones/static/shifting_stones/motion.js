// What moves on the board of Shifting Stones (play/moving.js): stones swap and turn, cards come from the draw pile and go
// to where they are scored or thrown away. Other players hold theirs where it is said how many they are.

export const BOARD = "stones-board";

const PAIRS = { sun: "moon", fish: "bird", horse: "boat", seed: "tree" };

const faceOf = (stone) => stone.className.match(/f-(\w+)/)[1];
const turned = (one, other) => PAIRS[one] === other || PAIRS[other] === one;
const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;
const hrefOf = (use) => use.getAttribute("href");
const faceIn = (pile) => pile?.querySelector("use")?.getAttribute("href") ?? "";
const board = () => document.getElementById(BOARD);
const stoneAt = (cell) => board().querySelector(`#stones [data-cell="${cell}"]`);

const inHand = () => [...document.querySelectorAll('#players [data-fact="hand"]')];
const countIn = (element) => Number(element?.textContent ?? 0);

// A side that is turning away is no stone any more: it names no cell.
export function look(here, { place }) {
  return {
    stones: new Map([...here.querySelectorAll("#stones [data-cell]")].map((stone) => [stone.dataset.cell, faceOf(stone)])),
    hand: new Map([...here.querySelectorAll("#hand .pattern")].map((card) => [card.querySelector("input").value, place(card)])),
    held: inHand().map((fact) => Number(fact.querySelector("dd").textContent)),
    deck: countIn(here.querySelector("#draw-pile b")),
    thrown: countIn(here.querySelector("#discard-pile b")),
    top: faceIn(here.querySelector("#discard-pile > summary")),
    scored: [...here.querySelectorAll(".standing details details")].map((seat) => [...seat.querySelectorAll(".faces use")].map(hrefOf)),
    struck: here.querySelectorAll(".struck").length,
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

// Where a seat's scored cards lie: among its chips, or in the closed list around them.
const chip = (seat) => board().querySelector(`#scored-by-${seat} .chips > :last-child`);
const discards = () => board().querySelector("#discard-pile .face");
const drawPile = () => board().querySelector("#draw-pile .face");

// What has been played goes from the hand to the player's scored cards, or to the discard pile.
function playCards(before, now, from, { fly, nearest, pop, sound }) {
  const scored = now.scored.flatMap((cards, seat) => cards.filter((card) => !before.scored[seat]?.includes(card)).map((card) => [card, seat]));
  for (const [card, seat] of scored) {
    fly(card, from(card, seat), nearest(chip(seat)));
    pop(chip(seat));
  }
  const isThrown = now.top && now.top !== before.top && now.thrown > before.thrown;
  const start = isThrown && from(now.top, now.held.findIndex((count, seat) => count < before.held[seat]));
  if (start) fly(now.top, start, nearest(discards()));
  else if (isThrown) pop(discards());
  if (scored.length || isThrown) sound(scored.length ? "capture" : "card");
}

// What is drawn comes from the draw pile, one card after the other; what was taken back, from where it lay.
function drawCards(before, now, { fly, glide, nearest, TIME }) {
  const pile = nearest(drawPile());
  const late = (number) => ({ delay: (number * TIME) / 6, fill: "backwards" });
  [...now.hand.keys()].filter((card) => !before.hand.has(card)).forEach((card, number) => {
    glide(document.getElementById(`held-${card}`), before.top === `#face-${card}` ? nearest(discards()) : pile, late(number));
  });
  if (now.deck === before.deck) return;
  for (const [seat, fact] of inHand().entries()) {
    const isMine = fact.closest(`#player-${document.getElementById("match")?.dataset.seat}`);
    const drawn = isMine ? 0 : now.held[seat] - before.held[seat];
    for (let number = 0; number < drawn; number += 1) fly("#card-back", pile, nearest(fact), { fades: true, ...late(number) });
  }
  if (now.thrown < before.thrown) fly("#card-back", nearest(discards()), pile);
}

function moveCards(before, now, stage) {
  const from = (href, seat) => before.hand.get(href.split("-")[1]) ?? stage.nearest(inHand()[seat]);
  playCards(before, now, from, stage);
  drawCards(before, now, stage);
  if (now.struck > before.struck) stage.pop([...board().querySelectorAll(".struck")].at(-1));
}

export function move(before, now, stage) {
  moveStones(before, now, stage);
  moveCards(before, now, stage);
}
