// Bonus tokens: one is chosen first, and where it may go glows on the map: on tiles in play and on the one that is being
// placed, of which choose.js tells (`islands:placing`). The list that is sent, the only way without a script, follows.

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

// A choice is a use of a token and its place: "any=leaf 0,1.2 fruit", or "new.2 fruit" on the tile being placed.
const useOf = (option) => option.value.split(" ", 1)[0];
const placeOf = (option) => option.value.slice(useOf(option).length + 1);
const isNew = (option) => placeOf(option).startsWith("new");

// Where on the map an option lies: the tile in its value, or the cell chosen for the new tile, and the place on it.
function spot(option, fresh) {
  const cell = isNew(option) ? placing?.cell : placeOf(option).split(/[ .]/)[0];
  const at = isNew(option) ? fresh.get(placeOf(option)) : option.dataset.at?.split(" ");
  if (!cell || !at) return null;
  const corner = cell.split(",");
  return at.map((number, axis) => corner[axis] * SIDE + Number(number));
}

// The two lands of a channel are called by their corners once it is known how the tile is turned.
function rename(option) {
  const { part } = option.dataset;
  if (!part) return;
  option.dataset.said ??= option.textContent;
  const region = placeOf(option)[4];
  const corner = words()[`corner${(2 * (region - 1) + (placing?.turn ?? 0)) % 4}`];
  const text = placing ? option.dataset.said.replace(part, corner) : option.dataset.said;
  if (option.textContent !== text) option.textContent = text;
}

const chosenUse = () => document.querySelector("#bonus [name=token-use]:checked")?.value ?? "";

function offer() {
  const where = byId("token-where");
  if (!where) return;
  const [use, fresh] = [chosenUse(), onNewTile()];
  const chosen = placeOf(where.selectedOptions[0]);
  for (const option of where.options) {
    if (!option.value) continue;
    rename(option);
    const isOpen = useOf(option) === use && (!isNew(option) || fresh.has(placeOf(option)));
    if (option.disabled === isOpen) option.hidden = option.disabled = !isOpen;
    const at = isOpen && spot(option, fresh);
    if (at) option.dataset.spot = at.join(" ");
    else delete option.dataset.spot;
  }
  for (const group of where.querySelectorAll("optgroup")) group.hidden = !group.querySelector(":enabled");
  if (where.selectedOptions[0].disabled) {
    where.value = [...where.options].find((option) => !option.disabled && placeOf(option) === chosen)?.value ?? "";
  }
  point([...where.options].filter((option) => option.dataset.spot));
}

// The places are radio buttons on the map. They stay while they are the same, so that the focus stays on one of them.
function point(options) {
  const [targets, now] = [byId("targets"), options.map((option) => [option.value, option.dataset.spot, option.textContent]).join(";")];
  if (targets.dataset.now !== now) targets.replaceChildren(...options.map(target));
  targets.dataset.now = now;
  for (const input of targets.querySelectorAll("input")) input.checked = input.dataset.where === byId("token-where").value;
  document.dispatchEvent(new CustomEvent("islands:targets"));
}

function target(option) {
  const place = document.createElementNS(SVG, "foreignObject");
  const [x, y] = option.dataset.spot.split(" ");
  place.setAttribute("class", "touch");
  for (const [name, value] of Object.entries({ x, y, width: 0, height: 0 })) place.setAttribute(name, value);
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: "token-place", className: "target", ariaLabel: option.textContent });
  input.dataset.where = option.value;
  place.append(input);
  return place;
}

document.addEventListener("islands:placing", ({ detail }) => {
  placing = detail;
  offer();
});
