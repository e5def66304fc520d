// The match page: never show an older board than the one shown, name each request, say what happened.

const page = document.getElementById("page");
const form = document.getElementById("act");
const live = document.getElementById("live");

const board = () => document.getElementById("match");
const shownVersion = () => Number(board()?.dataset.version ?? -1);
const shownLength = () => Number(board()?.dataset.length ?? 0);

// A request keeps its name until it was answered, so that sending it again does nothing twice.
const renew = () => { form.elements.client_id.value = crypto.randomUUID(); };
if (window.isSecureContext) renew();

form.addEventListener("htmx:config:request", (event) => {
  const request = event.detail.ctx.request;
  if (request.submitter?.hasAttribute("formaction")) request.action = request.submitter.formAction;
});

form.addEventListener("htmx:after:request", (event) => {
  if (event.detail.ctx.response?.status < 500 && window.isSecureContext) renew();
});

// Of an answer and a push with the same board the second is dropped, and so is whatever a newer board has overtaken.
// Not before the match begins: what a table shows differs from reader to reader.
const begun = () => board().dataset.status !== "open";
const isShown = (version) => version < shownVersion() || (version === shownVersion() && begun());

form.addEventListener("htmx:before:swap", (event) => {
  const response = event.detail.ctx.response;
  const version = Number(response?.headers.get("X-Match-Version") ?? NaN);
  // A refusal brings the board that is shown, and its reason.
  if (version < shownVersion() || (response?.status === 200 && isShown(version))) event.preventDefault();
});

// What the reader opened stays open when a new board arrives.
let opened = [];
document.addEventListener("htmx:before:swap", () => {
  opened = [...document.querySelectorAll("#match details[id][open]")].map((details) => details.id);
});
document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});

// What had the focus may go with the old board, or be of no use now: the status line takes it, so that keys go on there.
let focused = false;
document.addEventListener("htmx:before:swap", () => { focused = board().contains(document.activeElement); });
document.addEventListener("htmx:after:swap", () => {
  const lost = document.activeElement === document.body || document.activeElement.matches(":disabled");
  if (focused && lost) document.getElementById("status")?.focus({ preventScroll: true });
});

// The answer to a request of this page is not pushed to it as well; when it got lost, a heartbeat tells of it.
const catchUp = (connection) => connection.socket?.send('{"kind":"hello"}');

// Only a visible tab reports that its reader, who plays here, is looking at the match.
const PRESENT_EVERY = 12000;
let socket;

function tellPresence() {
  const seen = document.visibilityState === "visible" && board()?.dataset.seat !== undefined;
  if (seen && socket?.readyState === WebSocket.OPEN) socket.send('{"kind":"presence"}');
}

page.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const opened = socket !== event.detail.connection.socket;
  socket = event.detail.connection.socket;
  if (opened) tellPresence();
});
document.addEventListener("visibilitychange", tellPresence);
setInterval(tellPresence, PRESENT_EVERY);

let announced = shownLength();

page.addEventListener("htmx:ws:before:message:incoming", (event) => {
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (message.content !== undefined && isShown(message.version)) event.preventDefault();
  if (message.content === undefined && message.version > shownVersion()) catchUp(event.detail.connection);
});

// Say each new line once, the oldest first. What one did oneself is said as well: it confirms.
const announce = () => {
  const fresh = [...document.querySelectorAll("#log-lines [data-number]")]
    .filter((line) => Number(line.dataset.number) > announced)
    .reverse();
  announced = shownLength();
  const status = document.getElementById("status")?.textContent ?? "";
  if (fresh.length && live) live.textContent = [...fresh.map((line) => line.textContent.trim()), status].join(" ");
};

document.addEventListener("htmx:after:swap", announce);

const typing = (target) => target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, dialog");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const action = shortcuts[event.key];
  if (action) { event.preventDefault(); action(); }
});

// Where there is little room the log is a sheet, which has to come up first.
function toLog() {
  if (document.getElementById("open-log")?.checkVisibility()) document.getElementById("log").showPopover();
  document.querySelector("#log-lines a")?.focus();
}

const shortcuts = {
  n: () => document.querySelector("#waiting")?.click(),
  l: toLog,
  u: () => document.getElementById("undo")?.click(),
  "?": () => document.getElementById("shortcuts")?.showModal(),
};
