// What moves on the board of 3D cardChess (play/moving.js): cards come from the draw pile, go from the hand to their
// places and back, from there to the piles of a turn that is told, and then with their piles to whoever won them.

export const BOARD = "chess-board";
export const ASIDE = ["data-reading"];

const byId = (id) => document.getElementById(id);
const faceOf = (element) => element?.querySelector("use")?.getAttribute("href") ?? "";
const placed = (elements, place) => new Map([...elements].filter(faceOf).map((each) => [faceOf(each), place(each)]));

// How many things lie in each of the named parts of the board.
function count(things) {
  const found = new Map();
  for (const { parentElement: around } of things) found.set(around.closest("[id]").id, around.children.length);
  return found;
}

function pile(element, place) {
  const winner = element.querySelector("li.took .seat-dot").dataset.seat;
  return { winner, cards: [...element.querySelectorAll(".face")].map((card) => [faceOf(card.parentElement), place(card)]) };
}

export function look(here, { place }) {
  return {
    isReading: document.documentElement.dataset.reading !== undefined,
    stock: place(here.querySelector(".stock")),
    targets: new Map([...here.querySelectorAll("#columns .target")].map((target) => [target.id, faceOf(target)])),
    onTable: placed(here.querySelectorAll("#columns .target, #columns .place"), place),
    sealed: here.querySelectorAll(".lock").length,
    prizes: count(here.querySelectorAll(".gold svg, .realms > *")),
    hand: placed(here.querySelectorAll("#hand .held"), place),
    places: placed(here.querySelectorAll(".place"), place),
    piles: [...here.querySelectorAll("#last-turn .pile.taken")].map((each) => pile(each, place)),
    confirmed: document.querySelectorAll("#players .player:not(.to-move)").length,
  };
}

const SHARE = 0.2;

function giveToWinners(piles, { fly, nearest, sound, TIME }) {
  for (const [number, { winner, cards }] of piles.entries()) {
    for (const [href, from] of cards) {
      fly(href, from, nearest(byId(`tally-${winner}`)), { fades: true, delay: number * TIME * SHARE, fill: "backwards" });
    }
  }
  if (piles.length) sound("capture");
}

// A new card on the table or in the hand comes from the draw pile, which is shown in words and does not say how large a
// card is, or from the place where it had been put.
function deal(before, now, stage) {
  const drawn = (card) => now.stock && { ...now.stock, width: stage.place(card)?.width };
  for (const [id, href] of now.targets) {
    const face = byId(id).querySelector(".face");
    if (href && href !== before.targets.get(id)) stage.glide(face, drawn(face));
  }
  for (const card of byId("hand")?.querySelectorAll(".held") ?? []) {
    const href = faceOf(card);
    stage.glide(card, before.hand.get(href) ?? before.places.get(href) ?? drawn(card));
  }
}

function play(before, now, stage) {
  const fresh = [...now.places.keys()].filter((href) => !before.places.has(href));
  for (const place of byId(BOARD).querySelectorAll(".place")) {
    if (fresh.includes(faceOf(place))) stage.glide(place.querySelector(".face"), before.hand.get(faceOf(place)));
  }
  if (now.sealed > before.sealed) byId(BOARD).querySelectorAll(".lock").forEach(stage.pop);
  if (fresh.length || now.confirmed > before.confirmed) stage.sound("card");
}

// The piles are made of what lay on the table; cards that nobody knew come from above.
function layOut(before, { glide, drop }) {
  for (const card of document.querySelectorAll("#last-turn .pile .face")) {
    const from = before.onTable.get(faceOf(card.parentElement));
    from ? glide(card, from) : drop(card);
  }
}

// A gold card, or a realm, is a new thing in its row.
function award(before, now, { pop }) {
  for (const [row, number] of now.prizes) {
    if (number > (before.prizes.get(row) ?? 0)) pop(byId(row).querySelector(".gold > :last-child, :scope.realms > :last-child"));
  }
}

// The board as it was before a turn was revealed: while that is told, nothing on the table moves.
let laid = null;

export function move(before, now, stage) {
  if (now.isReading) {
    if (before.isReading) return;
    laid = before;
    layOut(before, stage);
    return;
  }
  if (before.isReading) giveToWinners(before.piles, stage);
  const known = before.isReading && laid ? laid : before;
  deal(known, now, stage);
  play(before, now, stage);
  award(known, now, stage);
}
