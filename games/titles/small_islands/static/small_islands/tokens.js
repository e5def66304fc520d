// Bonus tokens: the list offers, and the map marks, only where the chosen token may go: on tiles in play and on the one
// that is being placed, of which choose.js tells (`islands:placing`).

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 100;
const SIDES = "NESW";
const byId = (id) => document.getElementById(id);
const words = () => byId("board-words").dataset;

let placing = null; // the tile that is being placed: land, coasts, cell, turn; null while none is

const entries = (text) => (text ? text.split(";").map((entry) => entry.split(" ")) : []);

// Where a place on the tile comes to lie when the tile is turned.
function turned(x, y, quarters) {
  return quarters ? turned(SIDE - y, x, quarters - 1) : [Number(x), Number(y)];
}

// What the tile being placed offers, by the value of the option: its place on the tile as it is turned.
function onNewTile() {
  const found = new Map();
  if (!placing) return found;
  for (const [name, region, x, y] of entries(placing.land)) {
    const value = `${region === "0" ? "new" : `new.${region}`} ${name}`;
    if (!found.has(value)) found.set(value, turned(x, y, placing.turn));
  }
  for (const [side, x, y] of entries(placing.coasts)) {
    found.set(`new ${SIDES[(Number(side) + placing.turn) % 4]}`, turned(x, y, placing.turn));
  }
  return found;
}

function mayGo(option, use) {
  const what = option.value.split(" ")[1];
  const [name, shows] = use.split("=");
  const isCoast = SIDES.includes(what);
  return shows === "port" ? isCoast : !isCoast && what !== (shows ?? name);
}

// Where on the map an option lies: the tile in its value, or the cell chosen for the new tile, and the place on it.
function spot(option, fresh) {
  const isNew = option.value.startsWith("new");
  const cell = isNew ? placing?.cell : option.value.split(/[ .]/)[0];
  const at = isNew ? fresh.get(option.value) : option.dataset.at?.split(" ");
  if (!cell || !at) return null;
  const corner = cell.split(",");
  return at.map((number, axis) => corner[axis] * SIDE + Number(number));
}

// The two lands of a channel are called by their corners once it is known how the tile is turned.
function rename(option) {
  const region = option.value.match(/^new\.([12])/)?.[1];
  if (!region) return;
  option.dataset.said ??= option.textContent;
  const what = option.dataset.said.split(": ")[1];
  const corner = words()[`corner${(2 * (region - 1) + (placing?.turn ?? 0)) % 4}`];
  const text = placing ? `${corner}: ${what}` : option.dataset.said;
  if (option.textContent !== text) option.textContent = text;
}

function offer() {
  const [use, where] = [byId("token-use"), byId("token-where")];
  if (!use) return;
  const fresh = onNewTile();
  for (const option of where.options) {
    if (!option.value) continue;
    rename(option);
    const isOpen = use.value && mayGo(option, use.value) && (!option.value.startsWith("new") || fresh.has(option.value));
    if (option.disabled === Boolean(isOpen)) option.hidden = option.disabled = !isOpen;
    const at = isOpen && spot(option, fresh);
    if (at) option.dataset.spot = at.join(" ");
    else delete option.dataset.spot;
  }
  for (const tile of where.querySelectorAll("optgroup")) tile.hidden = !tile.querySelector(":enabled");
  if (where.selectedOptions[0]?.disabled) where.value = "";
  byId("targets").replaceChildren(...[...where.options].filter((option) => option.dataset.spot).map(target));
  document.dispatchEvent(new CustomEvent("islands:targets"));
}

function target(option) {
  const circle = document.createElementNS(SVG, "circle");
  const [cx, cy] = option.dataset.spot.split(" ");
  const told = { cx, cy, class: option.selected ? "target chosen" : "target", "data-where": option.value };
  for (const [name, value] of Object.entries(told)) circle.setAttribute(name, value);
  return circle;
}

document.addEventListener("islands:placing", ({ detail }) => {
  placing = detail;
  offer();
});
