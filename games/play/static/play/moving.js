// What changes on a board moves, and can be heard. After a push the board is compared with what it showed before; the
// title's motion.js says what has changed, and here it is set in motion. It is loaded once the page is at rest, because
// nothing depends on it. Nothing moves when less motion is asked for; a newer board ends what is still moving.

const SVG = "http://www.w3.org/2000/svg";
const TIME = 240;
const EASE = "cubic-bezier(.3, .1, .2, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const page = document.querySelector("[data-motion]");

const title = await import(page.dataset.motion);
const board = () => document.getElementById(title.BOARD);

// --- what a title's motion is made of -------------------------------------------------------------------------------

let running = [];
let pressed = false;

// Start an animation that a newer board can end; the promise is kept once it has ended, at once if nothing may move.
function animate(element, frames, options) {
  if (!element || still.matches || pressed) return Promise.resolve();
  const animation = element.animate(frames, { duration: TIME, easing: EASE, ...options });
  running.push(animation);
  return animation.finished.catch(() => {});
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

// Where something lies: within the board, so that scrolling in between does not matter. Null for what is not shown.
function place(element) {
  const box = element?.getBoundingClientRect();
  if (!box?.width) return null;
  const { left, top } = board().getBoundingClientRect();
  return { left: box.left - left, top: box.top - top, width: box.width, height: box.height };
}

// What is not shown lies in the nearest thing around it that is: a card in a closed pile, for example.
function nearest(element) {
  let around = element;
  while (around && !place(around)) around = around.parentElement;
  return place(around);
}

const shift = (from, to) => `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;

// An element comes from where it was.
function glide(element, from) {
  const to = place(element);
  if (!from || !to || Math.hypot(from.left - to.left, from.top - to.top) < 2) return undefined;
  return animate(element, [{ transform: shift(from, to), transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }]);
}

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
function fly(href, from, to, { kind = "face", fades = false, frame = "", ...options } = {}) {
  if (!from || !to || still.matches) return Promise.resolve();
  const origin = board().getBoundingClientRect();
  const ghost = drawing(href, `${kind} travelling`);
  if (frame) ghost.setAttribute("viewBox", frame);
  Object.assign(ghost.style, {
    position: "fixed", zIndex: 20, transformOrigin: "0 0", pointerEvents: "none",
    left: `${origin.left + to.left}px`, top: `${origin.top + to.top}px`, width: `${to.width}px`, height: `${to.height}px`,
  });
  document.body.append(ghost);
  const frames = [{ transform: shift(from, to), opacity: 1 }, { transform: "none", opacity: fades ? 0.2 : 1 }];
  return animate(ghost, frames, options).finally(() => ghost.remove());
}

const pop = (element) => animate(element, [{ transform: "scale(1.5)", opacity: 0.3 }, { transform: "none", opacity: 1 }]);

const sound = (kind) => document.dispatchEvent(new CustomEvent("board-sound", { detail: kind }));

const stage = { TIME, animate, place, nearest, glide, fly, pop, drawing, sound };

// --- points ---------------------------------------------------------------------------------------------------------

const scores = () => new Map([...page.querySelectorAll("[data-fact='score'] dd")].map((fact) => [fact, Number(fact.textContent)]));

// The number in the page is right from the beginning; what counts up is drawn over it.
function countUp(element, from, to) {
  if (still.matches) return;
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / TIME);
    if (share === 1 || element.textContent !== String(to)) element.removeAttribute("data-counting");
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
const look = () => (board() ? { shown: title.look(board(), stage), scores: scores(), number: number() } : null);
let before = look();

// The first board of a page that waited for the match has nothing to be compared with.
function compare() {
  for (const animation of running) animation.finish();
  running = [];
  const now = look();
  const isJump = Math.abs(now?.number - before?.number) > 1; // in a replay
  if (before && now && !isJump && document.visibilityState === "visible") {
    title.move(before.shown, now.shown, stage);
    countPoints(before.scores, now.scores);
  }
  before = now;
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
addEventListener("resize", () => { before = look(); });
page.dataset.moves = "";
