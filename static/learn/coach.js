// Coach marks: what a newcomer is told on the board of a first match, on their turn: one after another, beside what it is
// about where nothing is that one wants to press or to see, else over the head of the page. One goes for good when it is
// read, by Escape, or when its reader acts.

const GAP = 12; // pixels between a mark and what it is about
const EDGE = 8; // and between a mark and the edge of the window
const TOP = 56; // what sticks to the top of the window

const form = () => document.getElementById("coach");
const isMyTurn = () => Boolean(document.querySelector("#match-status.my-turn"));
const isCovered = () => Boolean(document.querySelector("dialog[open], #past:not([hidden]), :is(#around, #log):popover-open"));
const target = (mark) => [...document.querySelectorAll(mark.dataset.target)].find((found) => found.checkVisibility());

const ring = Object.assign(document.createElement("div"), { className: "coach-ring", hidden: true });
let shown;

// --- where a mark lies ------------------------------------------------------------------------------------------------

const overlap = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left))
  * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
const boxed = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height, width, height });
const within = (low, value, high) => Math.max(low, Math.min(value, high));

// The places beside a box: on each side in its middle, or towards one of its ends, as far as the window reaches.
function places(box, width, height) {
  const along = (left) => within(EDGE, left, innerWidth - EDGE - width);
  const down = (top) => within(TOP, top, innerHeight - EDGE - height);
  const ends = [0.5, 0, 1];
  const columns = ends.map((share) => along(box.left + share * (box.width - width)));
  const rows = ends.map((share) => down(box.top + share * (box.height - height)));
  return [
    ...columns.map((left) => ["below", boxed(left, box.bottom + GAP, width, height)]),
    ...columns.map((left) => ["above", boxed(left, box.top - GAP - height, width, height)]),
    ...rows.map((top) => ["right", boxed(box.right + GAP, top, width, height)]),
    ...rows.map((top) => ["left", boxed(box.left - GAP - width, top, width, height)]),
  ];
}

// What is to be pressed, and what is looked at before that.
const KEPT = "#match :is(#status, .player, button, label, input, select, summary, a):not(#log *), #board :is(svg, img)";

// The first of them that lies in the window and covers nothing of it.
function free(box, width, height) {
  const kept = [...document.querySelectorAll(KEPT)].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
  const isInSight = ({ left, top, right, bottom }) => left >= 0 && top >= TOP && right <= innerWidth && bottom <= innerHeight;
  return places(box, width, height).find(([, spot]) => isInSight(spot) && !kept.some((each) => overlap(spot, each)));
}

function lay(element, { left, top }) {
  const origin = element.offsetParent?.getBoundingClientRect() ?? { left: -scrollX, top: -scrollY };
  Object.assign(element.style, { left: `${left - origin.left}px`, top: `${top - origin.top}px` });
}

// Over the head of the page, and over the status line if it needs that: then over all of it.
function layOnHead() {
  const ends = [".site-header", "#match-status"].map((part) => document.querySelector(part).getBoundingClientRect().bottom + scrollY);
  shown.style.minHeight = `${ends.find((end) => end >= shown.offsetHeight) ?? 0}px`;
  lay(shown, { left: (innerWidth - shown.offsetWidth) / 2, top: -scrollY });
}

function layBeside(box, side, spot) {
  const isAlong = side === "below" || side === "above";
  const middle = isAlong ? box.left + box.width / 2 - spot.left : box.top + box.height / 2 - spot.top;
  shown.style.setProperty("--at", `${within(18, middle, (isAlong ? spot.width : spot.height) - 18)}px`);
  lay(shown, spot);
}

function place() {
  const at = shown && target(shown);
  if (!at) return;
  const box = at.getBoundingClientRect();
  shown.style.minHeight = "";
  shown.dataset.side = "below"; // it has a size only when it is shown
  const [side, spot] = free(box, shown.offsetWidth, shown.offsetHeight) ?? ["head"];
  shown.dataset.side = side;
  spot ? layBeside(box, side, spot) : layOnHead();
  ring.hidden = false;
  lay(ring, { left: box.left - 5, top: box.top - 5 });
  Object.assign(ring.style, { width: `${box.width + 10}px`, height: `${box.height + 10}px` });
}

// --- which mark is shown ----------------------------------------------------------------------------------------------

function hide() {
  if (shown) delete shown.dataset.side;
  shown = undefined;
  ring.hidden = true;
}

function show() {
  if (!form()) return;
  const next = isMyTurn() && !isCovered() ? [...form().querySelectorAll(".coach-mark")].find(target) : undefined;
  if (next === shown) { place(); return; }
  hide();
  shown = next;
  if (!shown) return;
  if (!ring.isConnected) form().after(ring);
  place();
  document.getElementById("live").textContent = shown.querySelector("p").textContent;
}

// The mark has been read: nobody is told twice, on whatever device.
function read() {
  if (!shown) return;
  const held = shown.contains(document.activeElement);
  const body = new FormData(form());
  body.set("mark", shown.querySelector("button").value);
  fetch(form().action, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive: true }).catch(() => {});
  const gone = shown;
  hide();
  gone.remove();
  if (form().querySelector(".coach-mark")) show();
  else { form().remove(); ring.remove(); }
  if (held) (shown?.querySelector("button") ?? document.getElementById("status"))?.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  if (event.target === form()) { event.preventDefault(); read(); return; }
  if (event.target.id === "act" && event.submitter?.closest("#board")) read();
}, { capture: true });
document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && !isCovered()) read(); });

// Boards change, and what lies on them moves.
let waiting;
const again = () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(show); };
document.addEventListener("htmx:after:swap", again);
document.addEventListener("toggle", again, { capture: true });
document.addEventListener("close", again, { capture: true });
document.addEventListener("input", again);
new ResizeObserver(again).observe(document.getElementById("page"));
addEventListener("resize", again);
show();
