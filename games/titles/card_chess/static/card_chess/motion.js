// What moves on the board of 3D cardChess (play/moving.js): cards come from the draw pile, go from the hand to their
// places and back, from there to the piles of a turn that is told, and with each pile to whoever won it.

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

// A pile that somebody took, and where its cards lie.
const taken = (element, place) => ({
  winner: element.dataset.captor,
  cards: [...element.querySelectorAll(".face")].map((card) => [faceOf(card.parentElement), place(card)]),
});

export function look(here, { place }) {
  return {
    isReading: document.documentElement.dataset.reading !== undefined,
    stock: place(here.querySelector(".deck .face")) ?? place(here.querySelector(".stock")),
    targets: new Map([...here.querySelectorAll("#columns .target")].map((target) => [target.id, faceOf(target)])),
    onTable: placed(here.querySelectorAll("#columns .target, #columns .place"), place),
    sealed: here.querySelectorAll(".lock").length,
    prizes: count(here.querySelectorAll(".gold svg, .realms > *")),
    hand: placed(here.querySelectorAll("#hand .held"), place),
    places: placed(here.querySelectorAll(".place"), place),
    piles: new Map([...here.querySelectorAll("#last-turn .pile.taken")].map((each) => [each.id, taken(each, place)])),
    flown: new Set([...here.querySelectorAll("#last-turn .flown")].map(({ id }) => id)),
    confirmed: document.querySelectorAll("#players .player:not(.to-move)").length,
  };
}

const SHARE = 0.2;
const SMALLER = 0.55; // how wide a card is when it arrives; from much smaller drawings it would set out blurred

const isInSight = (at) => at && at.top >= scrollY && at.top + at.height <= scrollY + innerHeight;

// Where a card from somewhere goes to: among what its winner has won if that is in sight, else to the player's box.
function home(seat, from, { place, nearest }) {
  const boxes = [byId(`tally-${seat}`), byId(`player-${seat}`)];
  const { left, top, width, height } = boxes.map(place).find(isInSight) ?? nearest(boxes[0]);
  const [wide, high] = [SMALLER * from.width, SMALLER * from.height];
  return { left: left + (width - wide) / 2, top: top + (height - high) / 2, width: wide, height: high };
}

function giveToWinners(piles, stage) {
  for (const { winner, cards } of piles) {
    cards.forEach(([href, from], number) => {
      if (from) stage.fly(href, from, home(winner, from, stage), { fades: true, duration: 2 * stage.TIME, delay: number * stage.TIME * SHARE, fill: "backwards" });
    });
  }
  if (piles.length) stage.sound("capture");
}

const withoutFlown = ({ piles, flown }) => [...piles].filter(([id]) => !flown.has(id));

// A new card on the table or in the hand comes from the draw pile, which on a phone is shown in words and does not say
// how large a card is, or from the place where it had been put.
function deal(before, now, stage) {
  const isDrawn = Boolean(byId(BOARD).querySelector(".deck .face")?.checkVisibility());
  const drawn = (card) => now.stock && { ...now.stock, width: isDrawn ? now.stock.width : stage.place(card)?.width };
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
    if (before.isReading) return giveToWinners(withoutFlown(before).filter(([id]) => now.flown.has(id)).map(([, pile]) => pile), stage);
    laid = before;
    layOut(before, stage);
    return;
  }
  if (before.isReading && document.querySelector("#last-turn .flown")) giveToWinners(withoutFlown(before).map(([, pile]) => pile), stage);
  const known = before.isReading && laid ? laid : before;
  deal(known, now, stage);
  play(before, now, stage);
  award(known, now, stage);
}
