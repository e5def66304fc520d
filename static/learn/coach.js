// Coach marks: what a newcomer is told in a first match, one thing after another, in a place above the board that is as high
// before as after, with a ring around what it is about once that is on the board. One goes for good when it is read, or when
// its reader acts with that before them. After them stands the way to the rules, and the place is kept until that is read and
// the turn is over, or until the end of the match is told: nothing moves under a pointer.

const HASTE = 400; // the end of a double press does not read what has only just come
const AROUND = 3; // pixels that the ring reaches beyond what it is about: so much is free, if only above the letters of a line

const form = () => document.getElementById("coach");
const unread = () => form().querySelector(".coach-mark:not([data-read])");
const rest = () => document.getElementById("coach-rest");
const isMyTurn = () => Boolean(document.querySelector("#match-status.my-turn"));
const isOver = () => document.getElementById("match").dataset.status !== "running";
const isCovered = () => Boolean(document.querySelector("dialog[open], #past:not([hidden]), :is(#around, #log):popover-open"));
const target = (mark) => [...document.querySelectorAll(mark.dataset.target)].find((found) => found.checkVisibility());

const ring = Object.assign(document.createElement("div"), { className: "coach-ring", hidden: true });
let shown;
let since = 0;

const next = () => unread() ?? rest();

function circle(at) {
  ring.hidden = !at;
  if (!at) return;
  if (!ring.isConnected) form().after(ring);
  const { left, top, width, height } = at.getBoundingClientRect();
  const origin = ring.offsetParent?.getBoundingClientRect() ?? { left: -scrollX, top: -scrollY };
  const [x, y] = [left - origin.left - AROUND, top - origin.top - AROUND];
  const [wide, high] = [width + 2 * AROUND, height + 2 * AROUND];
  Object.assign(ring.style, { left: `${x}px`, top: `${y}px`, width: `${wide}px`, height: `${high}px` });
}

function tell(mark) {
  if (shown) since = performance.now();
  delete shown?.dataset.shown;
  mark.dataset.shown = "";
  shown = mark;
  if (shown !== rest()) document.getElementById("live").textContent = shown.querySelector("p").textContent;
}

const letGo = () => {
  if (form().contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
};

function finish() {
  letGo();
  ring.remove();
  form().remove();
}

// All is read. The next press may already be on its way to the board: the place stays, empty, until the turn is over.
function vacate() {
  letGo();
  form().inert = true;
  rest().style.visibility = "hidden";
  show();
}

// Only when the end is told does the board make room for it; until then the place says what it said.
function end() {
  if (document.getElementById("ending")?.checkVisibility()) { finish(); return; }
  ring.hidden = true;
  form().inert = true;
}

function show() {
  if (!form()) return;
  if (isOver()) { end(); return; }
  if (form().inert) { if (!isMyTurn()) finish(); return; }
  if (next() !== shown) tell(next());
  circle(shown !== rest() && isMyTurn() && !isCovered() ? target(shown) : undefined);
}

// The mark has been read: nobody is told twice, on whatever device.
function read() {
  const button = shown.querySelector("button");
  const body = new FormData(form());
  body.set("mark", button.value);
  fetch(form().action, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive: true }).catch(() => {});
  const held = shown.contains(document.activeElement);
  shown.dataset.read = "";
  show();
  const [within] = [...shown.querySelectorAll("a, button")].filter((each) => each.checkVisibility());
  if (held) (within ?? document.getElementById("main")).focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  if (!form()) return;
  if (event.target === form()) {
    event.preventDefault();
    if (performance.now() - since > HASTE) (shown === rest() ? vacate : read)();
  } else if (event.target.id === "act" && event.submitter?.closest("#board")) {
    if (shown !== rest() && target(shown)) read();
  }
}, { capture: true });

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
