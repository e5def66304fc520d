// The match on the start page: it plays itself, one step after the other, or follows one that is being played. It waits
// while nobody can see it, when somebody pauses it, and in the end for good: an open tab is not a reader. Whoever wants
// less motion begins with it paused.
const STEP = 2600;
const END = 7000;
const LIVE = 4000;
const MOST = 400;

const page = document.getElementById("page");
const pause = document.getElementById("showcase-pause");
const position = () => document.getElementById("showcase");

let playing = true;
let seen = true;
let steps = 0;
let timer = 0;

function wait() {
  clearTimeout(timer);
  const { following, last } = position().dataset;
  timer = setTimeout(step, following !== undefined ? LIVE : last !== undefined ? END : STEP);
}

async function step() {
  if (!playing) return;
  if (!seen || document.hidden) return wait();
  if (++steps > MOST) return show(false);
  if (page.dataset.motion) await import(page.dataset.moving); // before the first step: it compares boards
  document.getElementById("showcase-next").click();
}

function show(now) {
  playing = now;
  steps = 0;
  pause.setAttribute("aria-pressed", String(!now));
  if (now) wait();
  else clearTimeout(timer);
}

// The next step waits for the position before it, however slow the line is.
page.addEventListener("htmx:after:swap", () => { if (playing) wait(); });
document.addEventListener("htmx:error", () => show(false));
pause.addEventListener("click", () => show(!playing));
new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }).observe(page);

pause.hidden = false;
show(!matchMedia("(prefers-reduced-motion: reduce)").matches);
