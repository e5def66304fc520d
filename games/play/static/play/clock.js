// Counts clocks down to the deadlines which the server has set, on the server's time: the reader's clock may be wrong.

// What the server said it was, less what has passed here since the page began. A message takes time on its way, never
// less than none, so the largest difference seen is the truest.
const page = document.getElementById("page");
const [navigation] = performance.getEntriesByType("navigation");
let ahead = Number(page.dataset.now) - navigation.responseStart;

const serverNow = () => performance.now() + ahead;

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (!Number.isFinite(message?.now)) return;
  ahead = Math.max(ahead, message.now - performance.now());
  tick();
});

// What has begun of a second counts, so that a clock at 0:00 has run out.
function written(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

let warned = "";

// Said in words once for each deadline of one's own; nothing is said every second.
function warn(clock) {
  const words = clock.querySelector(".clock-warning");
  words.hidden = false;
  if (!clock.closest(".me") || warned === clock.dataset.deadline) return;
  warned = clock.dataset.deadline;
  document.getElementById("live").textContent = words.textContent;
}

function show(clock) {
  const left = Number(clock.dataset.deadline) - serverNow();
  if (!clock.classList.contains("days")) clock.querySelector(".clock-text").textContent = written(left);
  clock.classList.toggle("low", left <= Number(clock.dataset.low));
  if (clock.classList.contains("low")) warn(clock);
  return left;
}

let timer;

// All clocks at once, and again when the first of them has another second to show.
function tick() {
  clearTimeout(timer);
  const clocks = [...document.querySelectorAll(".clock[data-deadline]")];
  const running = clocks.map(show).filter((left) => left > 0);
  if (running.length) timer = setTimeout(tick, Math.min(...running.map((left) => left % 1000)) + 1);
}

document.addEventListener("htmx:after:swap", tick);
document.addEventListener("visibilitychange", tick);
tick();
