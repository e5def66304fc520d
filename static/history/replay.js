// The replay: keys for the steps, a slider, and autoplay. Every step is a link in the page; this only follows them.

// These stay the same elements: they are left out when a position arrives.
const play = document.getElementById("play");
const pace = document.getElementById("pace");
const slider = document.getElementById("slider");

const keys = { ArrowLeft: "step-before", ArrowRight: "step-after", Home: "step-first", End: "step-last" };

let timer = 0;

const replay = () => document.getElementById("replay");
const atEnd = () => replay().dataset.number === replay().dataset.length;
const follow = (id) => document.querySelector(`a#${id}`)?.click();

const show = (playing) => play.setAttribute("aria-pressed", String(playing));

const scrollLog = () => {
  const lines = document.getElementById("replay-lines");
  const line = lines.querySelector("[aria-current]");
  if (line) lines.scrollTop += line.getBoundingClientRect().top - lines.getBoundingClientRect().top - lines.clientHeight / 2;
};

const stop = () => {
  clearTimeout(timer);
  timer = 0;
  show(false);
};

const wait = () => {
  clearTimeout(timer);
  if (atEnd()) stop();
  else timer = setTimeout(() => follow("step-after"), Number(pace.value));
};

const toggle = () => {
  if (timer) return stop();
  if (replay().dataset.length === "0") return undefined; // nothing to play yet
  show(true);
  if (atEnd()) {
    timer = 1; // runs: the first position arrives, then the steps follow
    return follow("step-first");
  }
  timer = 1;
  follow("step-after");
};

// While it is being dragged the slider is ahead of the positions that arrive.
const PAUSE = 60;
let dragged = false;
let waiting = 0;

const jump = () => {
  const number = document.getElementById("jump");
  number.value = slider.value;
  number.form.requestSubmit();
};

slider.addEventListener("input", () => {
  dragged = true;
  stop();
  clearTimeout(waiting);
  waiting = setTimeout(jump, PAUSE);
});
slider.addEventListener("change", () => { dragged = false; });

const follows = () => {
  slider.max = replay().dataset.length;
  if (!dragged) slider.value = replay().dataset.number;
};

// Each step waits for the position before it, however slow the line is.
document.addEventListener("htmx:after:swap", () => {
  scrollLog();
  follows();
  if (timer) wait();
});
document.addEventListener("htmx:error", stop);

const busy = (target) => target.closest("input, select, textarea, dialog");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || busy(event.target)) return;
  if (event.key === " " && !event.target.closest("button, summary, a")) {
    event.preventDefault();
    toggle();
  } else if (keys[event.key]) {
    event.preventDefault();
    if (timer) stop();
    follow(keys[event.key]);
  }
});

play.addEventListener("click", toggle);
for (const part of [play, pace, slider, document.getElementById("keys")]) part.hidden = false;
scrollLog();
