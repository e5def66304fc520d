// What moves on the board of Small Islands (play/moving.js): tiles travel from the tray to the map, or settle there from
// above, and the map draws back to make room; Houses and bonus tokens come down; the tray fills up and closes up; what
// somebody chose to play for goes to its place.

export const BOARD = "islands-board";

const FRAME = "0 0 100 100";
const byId = (id) => document.getElementById(id);
const faceOf = (element) => (element.matches("use") ? element : element.querySelector("use"))?.getAttribute("href") ?? "";
const spotOf = (use) => ["href", "x", "y"].map((name) => use.getAttribute(name)).join();
const ids = (selector) => new Set([...document.querySelectorAll(selector)].map(({ id }) => id.replace("laden-", "lies-")));
const tokens = () => [...document.querySelectorAll("#tiles > g > use:not(:first-child)")];
const inTray = () => [...document.querySelectorAll("#row .pick, #hand .pick, #ships .pick")].filter((pick) => pick.id !== "taken");
const cards = (around) => [...document.querySelectorAll(`${around} .ruling`)];

// How the map lies in its frame, if it is seen as a whole: so many times as large, so far from the corner.
function sight(map) {
  const { left, top } = map.getBoundingClientRect();
  const { a: scale, e, f } = map.getScreenCTM();
  return !map.matches(".zoomed") && { scale, x: e - left, y: f - top };
}

export function look(here, { place }) {
  return {
    sight: sight(byId("map")),
    tiles: ids("#tiles > *"),
    houses: ids("#homes > *"),
    tokens: new Set(tokens().map(spotOf)),
    rows: [...here.querySelectorAll("#row, #hand, #ships")].map(({ id }) => id),
    tray: new Map(inTray().map((pick) => [faceOf(pick), place(pick)])),
    deck: new Map(cards(".deck").map((card) => [faceOf(card), place(card)])),
  };
}

// A tile that is new in a row that was there is drawn from the reserve.
function fillTray(before, { glide, drop }) {
  for (const pick of inTray()) {
    if (before.tray.has(faceOf(pick))) glide(pick, before.tray.get(faceOf(pick)));
    else if (before.rows.includes(pick.parentElement.id)) drop(pick);
  }
}

// A map that needs more room draws back.
function drawBack(from, to, { animate }) {
  if (!from || !to || from.scale === to.scale) return;
  const [x, y, size] = [(from.x - to.x) / to.scale, (from.y - to.y) / to.scale, from.scale / to.scale];
  for (const layer of document.querySelectorAll("#tiles, #homes, #last")) {
    animate(layer, [{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }]);
  }
}

const fromAbove = (element, { animate }) =>
  animate(element, [{ translate: "0 -28px", opacity: 0 }, { translate: "0 3px", opacity: 1, offset: 0.7 }, { translate: "none" }]);

function lay(tile, before, { animate, fly, place }) {
  const from = before.tray.get(faceOf(tile));
  if (!from) return fromAbove(tile, { animate });
  animate(tile, [{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }], { easing: "linear" });
  return fly(faceOf(tile), from, place(tile), { kind: "tile", frame: FRAME });
}

function came(before, now, kind) {
  return [...now[kind]].filter((id) => !before[kind].has(id)).map((id) => byId(id)).filter(Boolean);
}

export function move(before, now, stage) {
  const [tiles, houses] = [came(before, now, "tiles"), came(before, now, "houses")];
  drawBack(before.sight, now.sight, stage);
  for (const tile of tiles) lay(tile, before, stage);
  for (const house of houses) fromAbove(house, stage);
  for (const token of tokens()) if (!before.tokens.has(spotOf(token))) fromAbove(token, stage);
  for (const card of cards("#objective")) stage.glide(card, before.deck.get(faceOf(card)));
  fillTray(before, stage);
  if (tiles.length) stage.sound("tile");
  else if (houses.length || now.tokens.size > before.tokens.size) stage.sound("stone");
}
