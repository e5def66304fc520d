// The map: pan and zoom by mouse, touch and keys, and islands that light up. It changes nothing but the viewBox, the
// rulers and the groups #lit and #beyond, which belong to this page: a new board is shown where the old one was looked at.

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 100;
const NEAREST = 2.5 * SIDE;
const CHARACTER = 8; // so many pixels wide is each character of a number
const BETWEEN = 4; // and so many are left free between two numbers
const LEAST_FOR_A_LINE = 15; // a number is so many pixels high
const EVERY = [1, 2, 5, 10]; // Each number is written, or every other one and so on where they would not fit.
const STEP = 1.3;
const GLIDE = 260; // milliseconds in which the map comes near
const STILL = 400; // and in which nothing is chosen on it: a finger meant what lay there before
const AFTER_A_TOUCH = 300; // milliseconds in which what it chooses is known
const SLACK = 6; // pixels before a press becomes a drag
const SPARE = 60; // of the margin around the tiles
const NEAR = 17; // so far from the middle of a Port or a token it is touched
const TOUCH = 24.5; // pixels of what can be touched, at least
const LEAST_IN_HAND = 30; // pixels of a cell on a phone, below which the map comes near
const EASY = 36; // and pixels of a cell then
const AIM = 22; // so many pixels beside a small cell it is touched all the same
const SIGN = 13; // so large around its middle is what points to cells beyond the edge
const APART = 66; // and so far from another one

const ROOM = SIDE; // for tiles to come, on each side of the map
const COMFORT = 0.64; // pixels to a unit, below which there is no such room
const COMFORT_ON_A_PHONE = 0.4;

const byId = (id) => document.getElementById(id);
const map = () => byId("map");
const isSmall = () => matchMedia("(width < 40em)").matches;
const isInHand = () => matchMedia("(width < 40em), (height < 31.25em)").matches;

// While objectives are chosen on a phone, which lie over the map, it has less room.
function isCrowded() {
  const { phase, mode } = byId("islands-board").dataset;
  return isSmall() && phase === "choose" && mode === "play";
}

// All that lies there, with a margin for another tile but where the map is crowded.
function frame() {
  const [x, y, width, height] = map().dataset.frame.split(" ").map(Number);
  const spare = isCrowded() ? SPARE : 0;
  return [x + spare, y + spare, width - 2 * spare, height - 2 * spare];
}

let view = null; // what is looked at: left, top, width, height; null shows the whole map
let home = null; // the whole map as it is shown
let came = false; // the map has come near by itself
let wide = false; // somebody wants to see all of it
let aside = null; // what was looked at before objectives are chosen
let followed = ""; // where the newest tile lay that was brought into sight
let glide = null; // from where and since when it comes near
let moved = -Infinity; // since when
let taught = false;
let kept = null; // how: the middle, the scale, and how wide the map was
let told = ""; // what Ports had brought when the board was last shown
let lay = 0; // and how many tiles lay there
let lit = null; // a region of the island that is lit, as the notation writes it: "0,1" or "0,1.2" in a channel

// --- what is looked at ----------------------------------------------------------------------------------------------

function show() {
  if (!map()?.clientWidth) return; // what is hidden cannot be measured
  makeRoom();
  home = whole();
  const [x, y, width, height] = onTheWay(view ?? home);
  // Of what is rounded the width alone decides the scale.
  const shown = [...[x, y, width].map((number) => Math.round(number * 10) / 10), Math.floor(height * 10) / 10].join(" ");
  if (map().getAttribute("viewBox") !== shown) map().setAttribute("viewBox", shown);
  map().classList.toggle("zoomed", Boolean(view));
  map().classList.toggle("gliding", isMoving());
  enlarge();
  rule();
  pointBeyond();
}

// Between what was looked at and what is to be, as far as the time has come.
function onTheWay(there) {
  const gone = glide && (performance.now() - glide.since) / GLIDE;
  if (!glide || gone >= 1) {
    glide = null;
    return there;
  }
  requestAnimationFrame(show);
  return there.map((number, axis) => glide.from[axis] + (number - glide.from[axis]) * (1 - (1 - gone) ** 3));
}

// The whole map keeps its scale and its place during a match, with room for tiles to come. It is fitted anew once it
// outgrows that, or could be shown twice as large; but never under a finger.
function whole() {
  const [box, tiles] = [[map().clientWidth, map().clientHeight], frame()];
  if (isCrowded()) return onTable(seen(middleOf(tiles), fit(tiles, box), box), tiles);
  if (!kept || (!fingers.size && !serves(tiles, box))) {
    kept = { middle: middleOf(tiles), scale: comfortable(tiles, box), width: box[0] };
  }
  return onTable(seen(kept.middle, kept.scale, box), tiles);
}

function serves(tiles, box) {
  const [x, y, width, height] = onTable(seen(kept.middle, kept.scale, box), tiles);
  const [left, top, w, h] = tiles;
  const holds = left >= x - 1 && top >= y - 1 && left + w <= x + width + 1 && top + h <= y + height + 1;
  return box[0] === kept.width && holds && comfortable(tiles, box) < 2 * kept.scale;
}

// The table fills what is seen as far as it reaches: what lies beyond its edge is seen no more than it has to be.
function onTable([x, y, width, height], [left, top, w, h]) {
  if (!byId("edge")) return [x, y, width, height];
  const [from, to] = ends();
  const along = (start, length, low, high) => (length > high - low ? (low + high - length) / 2 : within(start, low, high - length));
  return [along(x, width, Math.min(from, left), Math.max(to, left + w)), along(y, height, Math.min(from, top), Math.max(to, top + h)), width, height];
}

// Where the table ends, along either axis.
function ends() {
  const reach = Number(byId("edge").dataset.reach);
  return [-reach * SIDE, (reach + 2) * SIDE];
}

const fit = ([, , width, height], [w, h]) => Math.min(w / width, h / height);
const seen = ([x, y], scale, [w, h]) => [x - w / scale / 2, y - h / scale / 2, w / scale, h / scale];

function comfortable([x, y, width, height], box) {
  const least = isSmall() ? COMFORT_ON_A_PHONE : COMFORT;
  return Math.max(fit([x, y, width + 2 * ROOM, height + 2 * ROOM], box), Math.min(fit([x, y, width, height], box), least));
}

// A sheet of its own, as htmx copies the style of a board it replaces, which the policy for styles forbids.
const room = new CSSStyleSheet();
document.adoptedStyleSheets.push(room);

// On a phone what is asked lies over the lower part of the page: how high it is decides how high the map may be.
function makeRoom() {
  const asked = (byId("asked")?.offsetHeight ?? 0) + (document.querySelector("#asked > .offers")?.offsetHeight ?? 0);
  const rule = `#islands-board { --asked: ${asked}px; }`;
  if (room.cssRules[0]?.cssText !== rule) room.replaceSync(rule);
}

// What can be touched stays large enough for a finger, however far away the map is.
function enlarge() {
  const places = [...map().querySelectorAll(".touch")];
  if (!places.length) return; // measuring would make the browser lay out the page
  const least = TOUCH / scale();
  for (const place of places) {
    const size = Math.max(34, least);
    const by = (size - place.getAttribute("width")) / 2; // on each side of its middle
    const [x, y] = [place.getAttribute("x") - by, place.getAttribute("y") - by];
    for (const [name, value] of Object.entries({ x, y, width: size, height: size })) place.setAttribute(name, value);
  }
}

// The numbers of columns and rows are drawn along the edges of what is seen of the table, the same size at any zoom.
function rule() {
  const pixel = 1 / scale();
  const [x, y, right, bottom] = seenOfTable();
  const [columns, rows] = byId("rulers").children;
  byId("rulers").setAttribute("font-size", 12 * pixel);
  columns.setAttribute("y", y + 16 * pixel);
  rows.setAttribute("x", x + 14 * pixel);
  number("columns", "x", x, right, stride(pixel, longest(x, right) * CHARACTER + BETWEEN));
  // In the corner there is room for one.
  number("rows", "y", y + 26 * pixel, bottom, stride(pixel, LEAST_FOR_A_LINE));
}

// What is seen, without what lies beyond the edge of the table.
function seenOfTable() {
  const { left, top, right, bottom } = map().getBoundingClientRect();
  const seen = [...at({ clientX: left, clientY: top }), ...at({ clientX: right, clientY: bottom })];
  return byId("edge") ? seen.map((number) => within(number, ...ends())) : seen;
}

const longest = (...ends) => Math.max(...ends.map((end) => String(Math.floor(end / SIDE)).length));
const stride = (pixel, room) => EVERY.find((cells) => (cells * SIDE) / pixel >= room) ?? EVERY.at(-1);

// No number is cut: each has its cell or, where every other one is left out, half a cell more on both sides. What is not
// seen is not written, as all that is has to be laid out anew at any zoom.
function number(id, axis, from, to, step) {
  const [first, last] = [from / SIDE + (step - 1) / 2, to / SIDE - (step + 1) / 2];
  const seen = [];
  for (let cell = Math.ceil(first / step) * step; cell <= last; cell += step) seen.push(cell);
  if (byId(id).dataset.seen === seen.join()) return;
  byId(id).dataset.seen = seen.join();
  byId(id).replaceChildren(...seen.map((cell) => {
    const text = document.createElementNS(SVG, "text");
    text.setAttribute(axis, (cell + 0.5) * SIDE);
    text.textContent = String(cell).replace("-", "−");
    return text;
  }));
}

const within = (value, low, high) => Math.min(Math.max(value, low), high);

// No nearer than a few tiles, no farther than the whole map, and never off it.
function look(left, top, width) {
  const [x, y, w, h] = home;
  if (width >= w) {
    view = null;
  } else {
    const near = Math.max(width, Math.min(NEAREST, w));
    const height = (near * h) / w;
    view = [within(left, x, x + w - near), within(top, y, y + h - height), near, height];
  }
  show();
}

// Whoever goes farther away is not brought near again.
function zoom(factor, [x, y]) {
  const [left, top, width] = view ?? home;
  wide = factor > 1;
  look(x - (x - left) * factor, y - (y - top) * factor, width * factor);
}

const middleOf = ([left, top, width, height]) => [left + width / 2, top + height / 2];
const middle = () => middleOf(view ?? home);

// The buttons bring nearer what is chosen, where it is seen.
function heart() {
  const place = placesOf(choice.split(" ")).find(isSeen);
  return place ? middleOfPlace(place) : middle();
}

function move(right, down) {
  const [left, top, width] = view ?? home;
  look(left + right, top + down, width);
}

function at({ clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(map().getScreenCTM().inverse());
  return [x, y];
}

const scale = () => map().getScreenCTM().a;

// --- near enough for a finger ---------------------------------------------------------------------------------------

// On a phone all of a very large map is too far away for a finger. When one's turn begins it comes a little nearer, to where the
// others have just laid a tile, and later follows them. In a turn it stays, moving aside no more than it has to where nothing
// at all can be chosen in sight. What lies beyond is pointed to from the edge. Where a finger finds nothing, the nearest cell
// is meant (`cellBeside`).

const isFar = () => scale() * SIDE < LEAST_IN_HAND;
const isMoving = () => performance.now() - moved < STILL;
const middleOfPlace = (place) => middleOf(["x", "y", "width", "height"].map((name) => Number(place.getAttribute(name))));

// Where something can be chosen now: for a token before its place is chosen, else for a tile, or for a House.
function marked() {
  if (byId("islands-board").dataset.mode !== "play") return [];
  const found = (inside) => [...map().querySelectorAll(`foreignObject:has(> ${inside})`)];
  const targets = map().querySelector(".target:checked") ? [] : found(".target");
  return [found(".cell.glowing"), targets, found(".house-place"), found(":is(.fits, .elsewise)")].find((places) => places.length) ?? [];
}

function isSeen(place) {
  const [[x, y], [left, top, width, height]] = [middleOfPlace(place), view ?? home];
  const edge = SIDE / 4;
  return x > left + edge && x < left + width - edge && y > top + edge && y < top + height - edge;
}

// Come near to the newest tile when one's turn begins, with as many of the cells around it as can be seen.
function follow() {
  const laid = byId("last").querySelector("rect");
  const { mode, phase } = byId("islands-board").dataset;
  if (!laid || wide || !isInHand() || !map().clientWidth || mode !== "play" || phase !== "explore") return;
  const place = middleOfPlace(laid).join();
  if (place === followed) return;
  followed = place;
  if (isFar() || (came && !isSeen(laid))) bring([laid, ...map().querySelectorAll("foreignObject:has(> .cell)")], 1);
}

// Come near to where something can be chosen, or to what was just chosen out of sight.
function approach(fresh = []) {
  if (!isInHand() || !map().clientWidth) return;
  const places = fresh.length ? fresh : wide ? [] : marked();
  if (!places.length || (places.some(isSeen) && (fresh.length || came || !isFar()))) return;
  bring(places);
}

// While objectives are chosen all of the map is seen, and once the match is over.
function standBack() {
  if (came && byId("islands-board").dataset.phase === "over") view = aside = glide = null;
  else if (came && view && isCrowded()) [view, aside, glide] = [null, view, null];
  else if (aside && !isCrowded()) [view, aside] = [aside, null];
}

// Bring places into sight, in any case one of the first `among` of them.
function bring(places, among = places.length) {
  const from = view ?? home;
  const width = isFar() ? (map().clientWidth * SIDE) / EASY : from[2];
  const height = (width * home[3]) / home[2];
  const [x, y] = crowd(places.map(middleOfPlace), among, width - SIDE, height - SIDE);
  came = true;
  moved = performance.now();
  setTimeout(show, STILL + 20);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) glide = { from, since: moved };
  look(x - width / 2, y - height / 2, width);
}

// From where as many points as can be are seen at once, as near as can be to what is looked at.
function crowd(points, among, width, height) {
  const [x, y] = middle();
  const away = ([[right, down]]) => Math.hypot(right - x, down - y);
  const groups = points.slice(0, among).map((one) =>
    [one, ...points.filter((other) => other !== one && Math.abs(other[0] - one[0]) < width / 2 && Math.abs(other[1] - one[1]) < height / 2)]);
  const [best] = groups.sort((one, other) => other.length - one.length || away(one) - away(other));
  return [0, 1].map((axis) => {
    const along = best.map((point) => point[axis]);
    const reach = [width, height][axis] / 2;
    return within([x, y][axis], Math.max(...along) - reach, Math.min(...along) + reach);
  });
}

// What points beyond the edge lies on everything else; a push that draws the map anew may take it away.
function makeLayer() {
  if (byId("beyond")) return;
  const layer = document.createElementNS(SVG, "g");
  Object.assign(layer, { id: "beyond", ariaHidden: "true" });
  map().append(layer);
}

// An arrow at the edge for what can be chosen beyond it, one where several would lie on each other.
function pointBeyond() {
  const signs = [];
  const pixel = 1 / scale();
  const [left, top, width, height] = view ?? home;
  const edge = (SIGN + 4) * pixel;
  for (const place of view && !glide ? marked().filter((each) => !isSeen(each)) : []) {
    const [x, y] = middleOfPlace(place);
    const at = [within(x, left + edge, left + width - edge), within(y, top + edge, top + height - edge)];
    if (!signs.some((sign) => Math.hypot(sign.at[0] - at[0], sign.at[1] - at[1]) < APART * pixel)) signs.push({ at, x, y });
  }
  if (signs.length) makeLayer();
  const layer = byId("beyond");
  const pointed = JSON.stringify([pixel, signs]);
  if (!layer || layer.dataset.pointed === pointed) return; // drawn again it would be a change, which is answered
  layer.dataset.pointed = pointed;
  layer.replaceChildren(...signs.map(({ at, x, y }) => {
    const sign = document.createElementNS(SVG, "use");
    const turn = (Math.atan2(y - at[1], x - at[0]) * 180) / Math.PI;
    sign.setAttribute("href", "#sign-beyond");
    sign.setAttribute("transform", `translate(${at.join(" ")}) scale(${pixel}) rotate(${turn})`);
    Object.assign(sign.dataset, { x, y });
    return sign;
  }));
  if (taught || !signs.length) return;
  taught = true;
  say(byId("board-words").dataset.beyond);
}

// What the arrows reach is brought into sight.
document.addEventListener("focusin", ({ target }) => {
  const place = target.closest?.("#map foreignObject");
  if (place && view && !isSeen(place)) bring([place]);
});

// --- mouse and touch ------------------------------------------------------------------------------------------------

const fingers = new Map();
let dragged = false;
let hasty = false; // pressed while the map moved

const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
const between = ([one, other]) => ({ clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 });

document.addEventListener("pointerdown", (event) => {
  if (event.isPrimary) fingers.clear();
  dragged = fingers.size > 0;
  hasty = isMoving();
  if (hasty) return;
  glide = null;
  if (event.target.closest?.("#map") && !event.button) fingers.set(event.pointerId, event);
});

document.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (!dragged && Math.hypot(dx, dy) < SLACK) return;
  dragged = true;
  const old = [...fingers.values()];
  fingers.set(event.pointerId, event);
  const now = [...fingers.values()];
  if (now.length === 2) zoom(apart(old) / apart(now), at(between(now)));
  else if (view) move(-dx / scale(), -dy / scale());
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => { if (fingers.delete(event.pointerId)) setTimeout(show, AFTER_A_TOUCH); });
}

// The click that ends a drag chooses nothing, nor does one on a map that moves; a key does.
document.addEventListener("click", (event) => {
  if (!(dragged || (hasty && event.detail)) || !event.isTrusted || !event.target.closest?.("#map")) return;
  dragged = hasty = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// Over the whole map the wheel scrolls the page, and zooms only from its top; over the chosen cell it turns the tile.
document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.("#map") || event.defaultPrevented) return;
  if (!view && (event.deltaY > 0 || scrollY > 0)) return;
  event.preventDefault();
  zoom(event.deltaY > 0 ? STEP : 1 / STEP, at(event));
}, { passive: false });

// --- buttons and keys -----------------------------------------------------------------------------------------------

function showWhole() {
  view = glide = null;
  show();
}

const BUTTONS = { nearer: () => zoom(1 / STEP, heart()), farther: () => zoom(STEP, heart()), fit: () => { wide = true; showWhole(); } };
const KEYS = { "+": BUTTONS.nearer, "=": BUTTONS.nearer, "-": BUTTONS.farther, Home: BUTTONS.fit };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// What a hint marks on the map is seen on all of it, on a phone near enough for a finger.
document.addEventListener("hint-marked", () => {
  const hinted = [...(map()?.querySelectorAll("foreignObject:has(> [data-hint])") ?? [])];
  if (!hinted.length) return;
  showWhole();
  if (isInHand() && isFar()) bring(hinted);
});

document.addEventListener("click", ({ target }) => BUTTONS[target.closest?.("#islands-board .zoom button")?.id]?.());

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const here = target === document.body || target.closest("#islands-board, #status");
  if (event.ctrlKey || event.altKey || event.metaKey || !here || target.closest("select")) return;
  const act = event.shiftKey && STEPS[key] ? () => move(...STEPS[key].map((step) => step * SIDE)) : KEYS[key];
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}, true);

// --- islands --------------------------------------------------------------------------------------------------------

const rows = () => [...document.querySelectorAll("#islands-board .island")];
const sites = (row) => row.dataset.land.split(" ");

// Where the land of a region lies and how it is drawn: as that of its tile, each part of a channel as its bank.
function land(site) {
  const [cell, part] = site.split(".");
  const [x, y] = cell.split(",").map((number) => number * SIDE);
  const tile = map().querySelector(`.tiles [transform^="translate(${x} ${y})"]`);
  const ground = document.querySelector(`${tile.getAttribute("href")} use`).getAttribute("href");
  const turn = Number(tile.getAttribute("class")?.slice(1) ?? 0);
  return part ? { x, y, turn: (turn + 2 * (part - 1)) % 4, outline: "#land-bank" } : { x, y, turn, outline: ground.replace("ground", "land") };
}

// The two parts of a channel are told apart by the corner they lie in.
function distance(site, [x, y]) {
  const { x: left, y: top, turn } = land(site);
  const [right, down] = [[0, 0], [1, 0], [1, 1], [0, 1]][turn];
  return Math.hypot(left + right * SIDE - x, top + down * SIDE - y);
}

function siteAt([x, y]) {
  const cell = [Math.floor(x / SIDE), Math.floor(y / SIDE)].join();
  const here = rows().flatMap(sites).filter((site) => site.split(".")[0] === cell);
  return here.sort((one, other) => distance(one, [x, y]) - distance(other, [x, y]))[0] ?? null;
}

function drawn(site) {
  const { x, y, turn, outline } = land(site);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", outline);
  use.setAttribute("transform", `translate(${x} ${y}) rotate(${turn * 90} 50 50)`);
  return use;
}

function light(site) {
  lit = site;
  const row = site && rows().find((island) => sites(island).includes(site));
  for (const island of rows()) island.setAttribute("aria-pressed", String(island === row));
  byId("lit").replaceChildren(...(row ? sites(row).map(drawn) : []));
  say(row ? row.firstChild.textContent : "");
}

// Without anything to say: what Ports have just brought, until a cell is chosen, or what can be done.
let usual;

function say(text) {
  const shown = byId("shown");
  usual ??= shown.textContent;
  text ||= (!map().querySelector(".cell:checked") && byId("islands-board").dataset.told) || usual;
  if (shown.textContent !== text) shown.textContent = text;
  shown.toggleAttribute("data-usual", text === usual);
}

document.addEventListener("click", (event) => {
  const row = event.target.closest?.("#islands-board .island");
  const sign = event.target.closest?.("#beyond > *");
  if (sign) {
    bring(marked().filter((place) => middleOfPlace(place).join() === [sign.dataset.x, sign.dataset.y].join()));
  } else if (row) {
    light(sites(row).includes(lit) ? null : sites(row)[0]);
  } else if (event.target.closest?.("#map") && !event.target.closest("input, label")) {
    const point = at(event);
    const near = isInHand() ? cellBeside(point) : null;
    if (near) return near.click();
    const piece = pieceAt(point);
    piece ? explain(piece) : light(siteAt(point));
    if (!piece && !tileAt(point)) document.dispatchEvent(new CustomEvent("islands:empty", { detail: refusalAt(point) }));
  }
});

// The cell that a finger may have meant where all are small.
function cellBeside([x, y]) {
  const away = (place) => Math.hypot(middleOfPlace(place)[0] - x, middleOfPlace(place)[1] - y);
  const nearest = marked().sort((one, other) => away(one) - away(other))[0];
  return nearest && away(nearest) * scale() < AIM ? nearest.querySelector(".cell") : null;
}

document.addEventListener("keydown", ({ key }) => { if (key === "Escape") light(null); });

// --- ships, Ports and tokens ----------------------------------------------------------------------------------------

const cornerOf = (point) => point.map((number) => Math.floor(number / SIDE) * SIDE);
const tileAt = (point) => map().querySelector(`.tiles [transform^="translate(${cornerOf(point).join(" ")})"]`);

// Why the chosen tile cannot lie at an empty point.
function refusalAt([x, y]) {
  const [from, to] = byId("edge") ? ends() : [-Infinity, Infinity];
  if (Math.min(x, y) < from || Math.max(x, y) >= to) return "edge";
  const isBeside = [[1, 0], [-1, 0], [0, 1], [0, -1]].some(([right, down]) => tileAt([x + right * SIDE, y + down * SIDE]));
  return isBeside ? "misfit" : "apart";
}

// What lies at a point besides land: the name of its sentence, where its middle is and how far it reaches.
function pieceAt([x, y]) {
  const [[left, top], tile] = [cornerOf([x, y]), tileAt([x, y])];
  const face = tile?.getAttribute("href") ?? "";
  const ship = { "#face-own": "ship", "#face-gre": "grey" }[face.slice(0, 9)];
  if (ship) return { name: ship, x: left + SIDE / 2, y: top + SIDE / 2, reach: SIDE / 2 - 3 };
  const near = ({ x: right, y: down }) => Math.hypot(right - x, down - y) < NEAR;
  return [...tokensOn(tile), ...portsOn(tile, left, top)].find(near);
}

const tokensOn = (tile) =>
  [...(tile?.parentElement.querySelectorAll(':scope[id^="laden"] > [href="#token"]') ?? [])]
    .map((token) => ({ name: "token", x: Number(token.getAttribute("x")), y: Number(token.getAttribute("y")), reach: NEAR }));

// The Ports printed on a tile, where they are as it lies.
function portsOn(tile, left, top) {
  const turns = Number(tile?.getAttribute("class")?.slice(1) ?? 0);
  const printed = tile ? document.querySelectorAll(`${tile.getAttribute("href")} [href="#sign-port"]`) : [];
  return [...printed].map((port) => {
    let [x, y] = port.parentElement.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    for (let turn = 0; turn < turns; turn += 1) [x, y] = [SIDE - y, x];
    return { name: "port", x: left + x, y: top + y, reach: NEAR };
  });
}

function explain({ name, x, y, reach }) {
  light(null);
  const ring = document.createElementNS(SVG, "circle");
  for (const [attribute, value] of Object.entries({ cx: x, cy: y, r: reach })) ring.setAttribute(attribute, value);
  byId("lit").replaceChildren(ring);
  say(byId(`piece-${name}`).textContent);
}

// A control for a piece explains that when it is pressed or reached by keys.
for (const kind of ["focusin", "click"]) {
  document.addEventListener(kind, ({ target }) => {
    const about = target.closest?.('#islands-board [aria-describedby^="piece-"]')?.getAttribute("aria-describedby");
    if (about) say(byId(about).textContent);
  });
}

// Once something else is chosen, or the turn is over, only a piece that is still chosen is explained. What is chosen is known
// when the browser may have taken it back.
let choice = "";
const chosen = () => [...document.querySelectorAll("#islands-board :checked:not(option, [name=turn])")].map(({ id }) => id).join(" ");
document.addEventListener("islands:placing", () => requestAnimationFrame(() => {
  const before = choice;
  choice = chosen();
  if (!map()) return;
  if (choice !== before && !lit) rest();
  if (choice !== before) approach(placesOf(choice.split(" ").filter((id) => !before.split(" ").includes(id))));
  pointBeyond();
}));

// Where on the map these inputs are, or the marks that belong to them.
const placesOf = (ids) =>
  ids.filter(Boolean).map((id) => byId(id)?.closest("#map foreignObject") ?? map().querySelector(`[for="${id}"]`)?.parentElement).filter(Boolean);

function rest() {
  byId("lit").replaceChildren();
  say(byId(document.querySelector('#asked :checked[aria-describedby^="piece-"]')?.getAttribute("aria-describedby"))?.textContent);
}

// --- pushes ---------------------------------------------------------------------------------------------------------

function refresh() {
  standBack();
  show();
  follow();
  if (byId("islands-board").dataset.phase === "reward") approach();
  const news = byId("islands-board").dataset.told ?? "";
  if (lit) light(news === told ? lit : null);
  else if (news !== told || lay !== byId("tiles").childElementCount) rest();
  told = news;
  lay = byId("tiles").childElementCount;
}

// All that changes a board at once is answered once, just before it is painted: the map has to be measured, which costs as
// much as the swap, and every time again.
let due = 0;
let observer;

function refreshSoon() {
  due ||= requestAnimationFrame(() => {
    due = 0;
    if (map()) refresh();
    observer?.takeRecords(); // of what this has changed itself
  });
}

document.addEventListener("htmx:after:swap", refreshSoon);
document.addEventListener("toggle", ({ target }) => { if (target.closest?.("#asked")) makeRoom(); }, true);
document.addEventListener("islands:targets", enlarge);

// The board may come later, when a match begins at the table: whatever is in the page is looked up each time.
const root = document.querySelector("#page, #replay")?.parentElement;
if (root) {
  document.documentElement.dataset.map = "live";
  const isPush = ({ target }) => target.contains(map()) || (target.parentNode === map() && !target.hasAttribute("hx-morph-skip"));
  const isLow = byId("asked")?.childElementCount && matchMedia("(height < 56em)").matches;
  if (isSmall() || isLow) byId("islands")?.removeAttribute("open"); // so that what can be done is in reach, and no row is cut
  observer = new MutationObserver((records) => { if (map() && records.some(isPush)) refreshSoon(); });
  if (map()) refresh();
  // A phone's window also changes its height when the page is scrolled.
  addEventListener("resize", () => { if (!isSmall()) kept = null; show(); });
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["viewBox", "class"] });
}
