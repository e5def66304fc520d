// The map: pan and zoom by mouse, touch and keys, and islands that light up. It changes nothing but the viewBox and the
// group #lit, which belong to this page: a new board is shown where the old one was looked at.

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 100;
const NEAREST = 2.5 * SIDE;
const STEP = 1.3;
const SLACK = 6; // pixels before a press becomes a drag

const map = () => document.getElementById("map");
const frame = () => map().dataset.frame.split(" ").map(Number);

let view = null; // what is looked at: left, top, width, height; null shows the whole map
let lit = null; // a place on the island that is lit: [column, row, shape, turn]

// --- what is looked at ----------------------------------------------------------------------------------------------

function show() {
  if (!map()) return;
  const shown = (view ?? frame()).map((number) => Math.round(number * 10) / 10).join(" ");
  if (map().getAttribute("viewBox") !== shown) map().setAttribute("viewBox", shown);
  map().classList.toggle("zoomed", Boolean(view));
}

const within = (value, low, high) => Math.min(Math.max(value, low), high);

// No nearer than a few tiles, no farther than the whole map, and never off it.
function look(left, top, width) {
  const [x, y, w, h] = frame();
  if (width >= w) {
    view = null;
  } else {
    const near = Math.max(width, Math.min(NEAREST, w));
    const height = (near * h) / w;
    view = [within(left, x, x + w - near), within(top, y, y + h - height), near, height];
  }
  show();
}

function zoom(factor, [x, y] = middle()) {
  const [left, top, width] = view ?? frame();
  look(x - (x - left) * factor, y - (y - top) * factor, width * factor);
}

function middle() {
  const [left, top, width, height] = view ?? frame();
  return [left + width / 2, top + height / 2];
}

function move(right, down) {
  const [left, top, width] = view ?? frame();
  look(left + right, top + down, width);
}

function at({ clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(map().getScreenCTM().inverse());
  return [x, y];
}

const scale = () => map().getScreenCTM().a;

// --- mouse and touch ------------------------------------------------------------------------------------------------

const fingers = new Map();
let dragged = false;

const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
const between = ([one, other]) => ({ clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 });

document.addEventListener("pointerdown", (event) => {
  if (event.isPrimary) fingers.clear();
  dragged = fingers.size > 0;
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
  document.addEventListener(end, (event) => fingers.delete(event.pointerId));
}

// The click that ends a drag chooses nothing.
document.addEventListener("click", (event) => {
  if (!dragged || !event.isTrusted || !event.target.closest?.("#map")) return;
  dragged = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// Over the whole map the wheel scrolls the page on when it turns away; over the chosen cell it turns the tile.
document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.("#map") || event.defaultPrevented) return;
  if (event.deltaY > 0 && !view) return;
  event.preventDefault();
  zoom(event.deltaY > 0 ? STEP : 1 / STEP, at(event));
}, { passive: false });

// --- buttons and keys -----------------------------------------------------------------------------------------------

const whole = () => { view = null; show(); };
const BUTTONS = { nearer: () => zoom(1 / STEP), farther: () => zoom(STEP), fit: whole };
const KEYS = { "+": BUTTONS.nearer, "=": BUTTONS.nearer, "-": BUTTONS.farther, Home: whole };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("click", ({ target }) => BUTTONS[target.closest?.("#isles-board .zoom button")?.id]?.());

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || !target.closest("#isles-board, #status") || target.closest("select")) return;
  const act = event.shiftKey && STEPS[key] ? () => move(...STEPS[key].map((step) => step * SIDE)) : KEYS[key];
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}, true);

// --- islands --------------------------------------------------------------------------------------------------------

const rows = () => [...document.querySelectorAll("#isles-board .isle")];
const places = (row) => row.dataset.land.split(" ").map((place) => place.split(","));

// The two parts of a channel are told apart by the corner they lie in.
function distance([column, row, shape, turn], [x, y]) {
  if (shape !== "tip") return 0;
  const [right, down] = [[0, 0], [1, 0], [1, 1], [0, 1]][turn];
  return Math.hypot((Number(column) + right) * SIDE - x, (Number(row) + down) * SIDE - y);
}

function placeAt([x, y]) {
  const cell = [Math.floor(x / SIDE), Math.floor(y / SIDE)].join();
  const here = rows().flatMap(places).filter(([column, row]) => `${column},${row}` === cell);
  return here.sort((one, other) => distance(one, [x, y]) - distance(other, [x, y]))[0] ?? null;
}

function drawn([column, row, shape, turn]) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#land-${shape}`);
  use.setAttribute("transform", `translate(${column * SIDE} ${row * SIDE}) rotate(${turn * 90} 50 50)`);
  return use;
}

function light(place) {
  lit = place;
  const row = place && rows().find((isle) => isle.dataset.land.split(" ").includes(place.join()));
  for (const isle of rows()) isle.setAttribute("aria-pressed", String(isle === row));
  document.getElementById("lit").replaceChildren(...(row ? places(row).map(drawn) : []));
  const shown = document.getElementById("shown");
  shown.dataset.hint ??= shown.textContent;
  const text = row ? row.firstChild.textContent : shown.dataset.hint;
  if (shown.textContent !== text) shown.textContent = text;
}

document.addEventListener("click", (event) => {
  const row = event.target.closest?.("#isles-board .isle");
  if (row) {
    const place = places(row)[0];
    light(lit?.join() === place.join() ? null : place);
  } else if (event.target.closest?.("#map") && !event.target.closest("input, .target")) {
    light(placeAt(at(event)));
  }
});

document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && lit) light(null); });

// --- pushes ---------------------------------------------------------------------------------------------------------

function refresh() {
  show();
  if (lit) light(lit);
}

const root = document.querySelector("#match, #replay")?.parentElement;
if (root) {
  document.documentElement.dataset.map = "live";
  const observer = new MutationObserver((records) => {
    if (!map() || !records.some(({ target }) => target.contains(map()) || map().contains(target))) return;
    refresh();
    observer.takeRecords();
  });
  refresh();
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["viewBox", "class"] });
}
