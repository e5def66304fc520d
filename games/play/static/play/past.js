// What happened: what others did since one's own last action comes back onto the board step by step, then the present,
// and with it the numbers in the players' boxes. The present waits outside the page meanwhile; whatever the server sends
// brings it back first.

const bar = document.getElementById("past");
const told = document.getElementById("past-told");
const play = document.getElementById("past-play");
const place = () => document.getElementById("board");
const button = (id) => document.getElementById(`past-${id}`);

const LEAST = 1500;
const PER_LETTER = 40; // milliseconds to read one

let steps = [];
let at = 0;
let present; // what board and boxes showed when the telling began; undefined while they show the present
let timer = 0;
let stays = false; // whether somebody asked to be told: then the last step stays until they close it

const areNumbers = (node) => node.matches?.(".seat-facts");

function put(nodes) {
  for (const numbers of nodes.filter(areNumbers)) document.getElementById(numbers.id).replaceWith(numbers);
  place().replaceChildren(...nodes.filter((node) => !areNumbers(node)));
  document.dispatchEvent(new CustomEvent("htmx:after:swap"));
}

function restore() {
  const nodes = present;
  present = undefined;
  delete document.documentElement.dataset.past;
  if (nodes) put(nodes);
}

function show(step) {
  at = Math.max(0, Math.min(steps.length - 1, step));
  if (at === steps.length - 1) restore(); // the present is the board itself, not a picture of it
  else {
    present ??= [...place().childNodes, ...document.querySelectorAll("#players .seat-facts")];
    document.documentElement.dataset.past = "";
    put([...steps[at].content.cloneNode(true).childNodes]);
  }
  told.textContent = steps[at].dataset.lines || bar.getAttribute("aria-label");
  button("number").textContent = `${at} / ${steps.length - 1}`;
  button("before").setAttribute("aria-disabled", String(at === 0));
  button("after").setAttribute("aria-disabled", String(at === steps.length - 1));
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  play.setAttribute("aria-pressed", "false");
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(next, at ? Math.max(LEAST, PER_LETTER * told.textContent.length) : LEAST);
  play.setAttribute("aria-pressed", "true");
}

function next() {
  if (at === steps.length - 1) return stays ? pause() : close();
  show(at + 1);
  return wait();
}

function close() {
  if (bar.hidden) return;
  pause();
  const held = bar.contains(document.activeElement);
  bar.hidden = true;
  restore();
  if (held) document.getElementById("status")?.focus({ preventScroll: true });
}

// What is told begins with this action, or with all that was done since one's own last one.
export async function tell(from = "") {
  const answer = await fetch(`${bar.dataset.url}?from=${from}`);
  if (!answer.ok || !bar.hidden) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  steps = [...page.querySelectorAll("template")];
  if (steps.length < 2) return;
  stays = !from;
  bar.hidden = false;
  show(0);
  wait();
}

function step(by) {
  pause();
  show(at + by);
}

const presses = {
  "past-before": () => step(-1),
  "past-after": () => step(1),
  "past-skip": close,
  "past-play": () => {
    if (timer) return pause();
    if (at === steps.length - 1) show(0);
    return wait();
  },
};

bar.addEventListener("click", ({ target }) => presses[target.closest("button")?.id]?.());
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
document.addEventListener("pointerdown", ({ target }) => { if (!present && place().contains(target)) close(); });

// A newer board is about to arrive.
document.getElementById("page").addEventListener("htmx:ws:before:message:incoming", (event) => {
  const [, version] = /"version":\s*(\d+)/.exec(event.detail.message.data) ?? [];
  if (Number(version) > Number(document.getElementById("match").dataset.version)) close();
});
