// What changes on a board moves, and can be heard. After a push the board is compared with what it showed before; the
// title's motion.js says what has changed, and here it is set in motion. It is loaded once the page is at rest, because
// nothing depends on it. Nothing moves when less motion is asked for; a newer board ends what is still moving.

const SVG = "http://www.w3.org/2000/svg";
const TIME = 240;
const EASE = "cubic-bezier(.3, .1, .2, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const page = document.querySelector("[data-motion]");
const main = document.getElementById("main");

const title = await import(page.dataset.motion);
const board = () => document.getElementById(title.BOARD);

// --- what a title's motion is made of -------------------------------------------------------------------------------

let running = [];
let pressed = false;

// Start an animation that a newer board can end; the promise is kept once it has ended, at once if nothing may move.
// It starts after everything has been measured: what is measured between two of them costs a layout of its own.
async function animate(element, frames, options) {
  if (!element || still.matches || pressed) return undefined;
  await null;
  const animation = element.animate(frames, { duration: TIME, easing: EASE, ...options });
  running.push(animation);
  main.style.overflowX = "clip"; // what sets out from beyond the edge of the page does not widen it
  return animation.finished.catch(() => {}).finally(() => { if (!isMoving()) main.style.overflowX = ""; });
}

// What is pressed chooses only if it is still there when it is let go: nothing moves under a finger.
function press(isDown) {
  pressed = isDown;
  for (const animation of running) {
    if (isDown && animation.playState === "running") animation.pause();
    if (!isDown && animation.playState === "paused") animation.play();
  }
}

addEventListener("pointerdown", ({ target }) => { if (board()?.contains(target)) press(true); }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => press(false), true);

// Where something lies in the page, so that scrolling in between does not matter. Null for what is not shown: to measure
// what a closed box holds would make the browser lay it out.
function place(element) {
  const { left, top, width, height } = element?.checkVisibility() ? element.getBoundingClientRect() : {};
  return width ? { left: left + scrollX, top: top + scrollY, width, height } : null;
}

// What is not shown lies in the nearest thing around it that is: a card in a closed pile, for example.
function nearest(element) {
  let around = element;
  while (around && !place(around)) around = around.parentElement;
  return place(around);
}

const shift = (from, to) => `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
const away = (from, to) => Math.hypot(from.left - to.left, from.top - to.top) >= 2;

// An element comes from where it was; what lies around it may be on its way too, and carries it along.
function glide(element, from, options) {
  const to = place(element);
  if (!from || !to || !away(from, to)) return undefined;
  const { x, y } = carried(element);
  const start = shift({ ...from, left: from.left - x, top: from.top - y }, to);
  return animate(element, [{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], options);
}

// What is new settles from a little above.
const drop = (element) => (place(element) ? animate(element, [{ translate: "0 -10px" }, { translate: "none" }]) : undefined);

function drawing(href, kind) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", href);
  svg.setAttribute("class", kind);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

// A drawing of the sprite travels over the board from one place to another, and is gone.
async function fly(href, from, to, { kind = "face", fades = false, frame = "", ...options } = {}) {
  if (!from || !to || still.matches) return undefined;
  await null;
  const ghost = drawing(href, `${kind} travelling`);
  if (frame) ghost.setAttribute("viewBox", frame);
  Object.assign(ghost.style, {
    position: "fixed", zIndex: 20, transformOrigin: "0 0", pointerEvents: "none",
    left: `${to.left - scrollX}px`, top: `${to.top - scrollY}px`, width: `${to.width}px`, height: `${to.height}px`,
  });
  document.body.append(ghost);
  const frames = [{ transform: shift(from, to), opacity: 1 }, { transform: "none", opacity: fades ? 0.2 : 1 }];
  return animate(ghost, frames, options).finally(() => ghost.remove());
}

const pop = (element) => animate(element, [{ transform: "scale(1.5)", opacity: 0.3 }, { transform: "none", opacity: 1 }]);

const sound = (kind) => document.dispatchEvent(new CustomEvent("board-sound", { detail: kind }));

const stage = { TIME, animate, place, nearest, glide, drop, fly, pop, drawing, sound };

// --- what makes room ------------------------------------------------------------------------------------------------

// Whatever has a name goes to where something that has come, gone or grown has pushed it.
const NONE = { x: 0, y: 0 };
const parts = () => [...page.querySelectorAll("[id]:not(svg *, :popover-open, :popover-open *)"), ...document.querySelectorAll(".site-footer")];
const lying = () => new Map(parts().map((part) => [part.id, place(part)]));

let pushed = new Map(); // how far from its place each part sets out

function carried(element) {
  for (let around = element; around; around = around.parentElement) if (pushed.has(around)) return pushed.get(around);
  return NONE;
}

function makeRoom(part, from, to) {
  const around = carried(part.parentElement);
  const [x, y] = [from.left - to.left - around.x, from.top - to.top - around.y];
  if (Math.hypot(x, y) < 2 || (scrollY && getComputedStyle(part).position === "sticky")) return;
  pushed.set(part, { x: x + around.x, y: y + around.y });
  animate(part, [{ translate: `${x}px ${y}px` }, { translate: "none" }]);
}

function makeAllRoom(before) {
  pushed = new Map();
  const fresh = [];
  for (const part of parts()) {
    const [from, to] = [before.get(part.id), place(part)];
    if (from && to) makeRoom(part, from, to);
    else if (to && !before.has(part.id) && !fresh.at(-1)?.contains(part)) fresh.push(part);
  }
  fresh.forEach(drop);
}

// --- points ---------------------------------------------------------------------------------------------------------

// What may still be added to a number stands behind it and does not count.
const worth = (fact) => Number(fact.firstChild?.data ?? "");
const scores = () => new Map([...page.querySelectorAll("[data-fact] dd")].map((fact) => [fact, worth(fact)]));

// The number in the page is right from the beginning; what counts up is drawn over it.
function countUp(element, from, to) {
  if (still.matches) return;
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / TIME);
    if (share === 1 || worth(element) !== to) element.removeAttribute("data-counting");
    else {
      element.dataset.counting = Math.round(from + share * (to - from));
      requestAnimationFrame(step);
    }
  };
  step(begun);
}

function countPoints(before, now) {
  for (const [element, points] of now) {
    const earlier = before.get(element);
    if (Number.isInteger(earlier) && Number.isInteger(points) && earlier !== points) countUp(element, earlier, points);
  }
}

// --- one board after the other --------------------------------------------------------------------------------------

const number = () => Number(document.getElementById("replay")?.dataset.number);
const look = () => (board() ? { shown: title.look(board(), stage), parts: lying(), scores: scores(), number: number() } : null);
let before = look();

// What is on its way when a newer board comes goes on from where it is.
const isMoving = () => running.some(({ playState }) => playState !== "finished");
let seen = null;
document.addEventListener("htmx:before:swap", () => { seen = isMoving() ? lying() : null; });

// The first board of a page that waited for the match has nothing to be compared with.
function compare() {
  for (const animation of running) animation.finish();
  running = [];
  const now = look();
  const isJump = Math.abs(now?.number - before?.number) > 1; // in a replay
  if (before && now && !isJump && document.visibilityState === "visible") {
    makeAllRoom(seen ?? before.parts);
    title.move(before.shown, now.shown, stage);
    countPoints(before.scores, now.scores);
  }
  [before, seen] = [now, null];
}

const touches = ({ target }) => {
  const here = board();
  return here && (here.contains(target) || target.contains(here) || target.parentElement?.closest("[data-fact]"));
};

// Other scripts put a new board right first: it is compared just before it is painted.
let frame = 0;

const observer = new MutationObserver((records) => {
  if (!frame && records.some(touches)) frame = requestAnimationFrame(settle);
});

function settle() {
  compare();
  observer.takeRecords();
  frame = 0;
}

observer.observe(page, {
  subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["href", "class"],
});
// What a title notes on the page's root can set a part of the board aside.
if (title.ASIDE) observer.observe(document.documentElement, { attributes: true, attributeFilter: title.ASIDE });

// What readers open, close or turn themselves is where it is.
function lookAgain() {
  if (!frame && !isMoving()) before = look();
}
new ResizeObserver(lookAgain).observe(page);
addEventListener("resize", () => { before = look(); });
addEventListener("toggle", () => requestAnimationFrame(lookAgain), true);
page.dataset.moves = "";
