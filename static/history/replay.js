// The replay: keys for the steps, and autoplay. Every step is a link in the page; this only follows them.

const panel = document.getElementById("autoplay");
const play = document.getElementById("play"); // stays the same element: it is left out when a position arrives
const pace = document.getElementById("pace");

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

// Each step waits for the position before it, however slow the line is.
document.addEventListener("htmx:after:swap", () => {
  scrollLog();
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
panel.addEventListener("submit", (event) => event.preventDefault());
panel.hidden = play.hidden = false;
scrollLog();
