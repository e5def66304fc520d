// What moves on the board of Small Islands (play/moving.js): tiles travel from the tray to the map, or settle there from
// above; Houses come down; tiles in the tray close up.

export const BOARD = "islands-board";

const FRAME = "0 0 100 100";
const byId = (id) => document.getElementById(id);
const faceOf = (element) => (element.matches("use") ? element : element.querySelector("use"))?.getAttribute("href") ?? "";
const ids = (selector) => new Set([...document.querySelectorAll(selector)].map(({ id }) => id.replace("laden-", "lies-")));
const inTray = () => [...document.querySelectorAll("#row .pick, #hand .pick, #ships .pick")].filter((pick) => pick.id !== "taken");

export function look(here, { place }) {
  return {
    tiles: ids("#tiles > *"),
    houses: ids("#homes > *"),
    tray: new Map(inTray().map((pick) => [faceOf(pick), place(pick.querySelector("svg") ?? pick)])),
  };
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
  for (const tile of tiles) lay(tile, before, stage);
  for (const house of houses) fromAbove(house, stage);
  for (const pick of inTray()) stage.glide(pick, before.tray.get(faceOf(pick)));
  if (tiles.length) stage.sound("tile");
  else if (houses.length) stage.sound("stone");
}
