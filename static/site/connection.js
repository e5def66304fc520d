// Tells the reader what is wrong between this page and the server; at the end, what stops single keys on every page, and the
// switch for sound.

// --- the socket: when it is lost the reader is told, and it comes back as soon as the network or the reader returns ---

// The server beats every 4 s; silence for longer than SILENCE means that the connection is lost, whatever the socket believes.
const SILENCE = 9000;
const RECENT = 5000;
// A restart of the server takes less time than this and is not worth a message.
const GRACE = 1000;

// Where the socket only brings news from elsewhere, the page works without it: losing it is not worth a message, and
// the page is never reloaded, as that could lose what somebody has typed.
const matters = !document.getElementById("me");
const banner = document.getElementById("connection");
const live = document.getElementById("live");
const text = banner.querySelector(".connection-text");
let connection = null;
let heard = performance.now();
let dialled = heard;
let ended = false;
let showing = null;

// Where no socket gets through, the page asks by HTTP for what it would bring (polling.js), until one brings something.
// The next page on such a network does so at once.
const BLOCKED = "tessera-blocked";
const MOST_FAILED = sessionStorage.getItem(BLOCKED) !== null ? 1 : 3;
let failed = 0;
let place = null;
let polling = null;
let reached = false;

const lost = () => (reached ? banner.dataset.polled : banner.dataset.lost);

async function poll() {
  if (polling || ended || !place?.dataset.news || (failed < MOST_FAILED && !silent(SILENCE))) return;
  polling = import(banner.dataset.polling);
  polling.then((it) => it.begin(place, { reach, end }), () => { polling = null; });
}

// Says whether the server could be reached by HTTP.
function reach(now) {
  if (!polling) return;
  reached = now;
  if (now) sessionStorage.setItem(BLOCKED, "");
  banner.classList.toggle("quiet", now);
  show(lost());
}

function stopPolling() {
  polling?.then((it) => it.stop(), () => {});
  polling = null;
  reached = false;
  banner.classList.remove("quiet");
}

// The page is not this reader's any more, or is gone.
function end() {
  ended = true;
  stopPolling();
  show(banner.dataset.ended);
}

function say(words) {
  text.textContent = words;
  live.textContent = words;
}

function show(words) {
  clearTimeout(showing);
  if (!matters || (!banner.hidden && text.textContent === words)) return;
  banner.hidden = false;
  say(words);
}

function showSoon() {
  clearTimeout(showing);
  showing = setTimeout(() => show(lost()), GRACE);
}

function hide() {
  heard = performance.now();
  failed = 0;
  ended = false;
  sessionStorage.removeItem(BLOCKED);
  stopPolling();
  clearTimeout(showing);
  if (banner.hidden) return;
  banner.hidden = true;
  live.textContent = banner.dataset.back;
}

function silent(limit) {
  return performance.now() - heard > limit;
}

// A close event of our own makes the extension drop the old socket, which may take minutes to notice that it is dead,
// and dial again with its first, shortest delay.
function dialAgain() {
  if (!connection) return;
  if (ended) {
    if (matters) location.reload();
    return;
  }
  clearTimeout(connection.timer);
  connection.attempt = 0;
  connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));
}

function check() {
  if (!connection || ended || !silent(SILENCE)) return;
  show(lost());
  poll();
  // Open but silent, or dialling in vain: the extension would wait for the system to give up.
  const hangs = connection.socket?.readyState <= WebSocket.OPEN;
  if (hangs && performance.now() - dialled > SILENCE) dialAgain();
}

// Every event names its connection, because the first ones may come before this module is loaded.
document.addEventListener("htmx:ws:before:connection", (event) => {
  connection = event.detail.connection;
  place = event.target;
  dialled = performance.now();
});
// A socket that opens may yet bring nothing: only what it brings shows that it works.
document.addEventListener("htmx:ws:after:connection", (event) => { ({ connection } = event.detail); });
document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  if (event.detail.polled) return;
  ({ connection } = event.detail);
  place = event.target;
  hide();
});
document.addEventListener("htmx:ws:close", (event) => {
  const { reason, code } = event.detail;
  if (reason === "removed") {
    if (event.detail.connection === connection) connection = null;
    return;
  }
  connection = event.detail.connection;
  place = event.target;
  // The extension does not dial again after these codes: the server means it (logged out, left, too many).
  ended = !connection.config.reconnectCodes.includes(code);
  if (ended) return end();
  if (heard < dialled) failed += 1;
  if (banner.hidden) showSoon();
  poll();
});

banner.querySelector("button").addEventListener("click", dialAgain);
window.addEventListener("online", dialAgain);
window.addEventListener("offline", () => {
  if (!connection) return;
  reach(false);
  show(banner.dataset.lost);
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && silent(RECENT)) dialAgain();
});
// A page from the browser's back/forward cache is out of date.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && connection && matters) location.reload();
});
setInterval(check, 1000);

// --- what could not be delivered, or was refused: the page stays as it is, so that it can be sent again --------------

const notices = document.getElementById("notices");
// 409 and 422 bring the current board or the form with its errors: the page shows them itself, unless they come too late.
const SHOWN_BY_THE_PAGE = new Set([409, 422]);

function words(status) {
  const said = notices.dataset;
  if (!status) return said.network;
  if (status === "underway") return said.underway;
  if (status === 409) return said.stale;
  if (status === 429) return said.often;
  if (status === 401 || status === 403) return said.refused;
  if (status === 404) return said.missing;
  if (status === 503) return said.away;
  return said.broken;
}

function clear() {
  notices.querySelector("[data-delivery]")?.remove();
}

function tell(status) {
  clear();
  const notice = document.createElement("div");
  notice.className = `notice ${status === "underway" ? "info" : "bad"}`;
  notice.dataset.delivery = "";
  notice.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = words(status);
  notice.append(text);
  notices.append(notice);
  notice.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:response:error", (event) => {
  const { status } = event.detail.ctx.response;
  if (!SHOWN_BY_THE_PAGE.has(status)) tell(status);
});
document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (ctx && !ctx.response) tell(0);
});
// Forms that go over a socket, or are posted where there is none, tell of it themselves.
document.addEventListener("undelivered", (event) => tell(event.detail));
for (const name of ["delivering", "delivered", "htmx:before:request"]) document.addEventListener(name, clear);

// --- single keys: letters, digits and signs act where nothing is written, and not at all once they are switched off.
// They are here, as each further file would be one more request of every page. ---

const root = document.documentElement;
const WRITING = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable], dialog";
root.dataset.singleKeys ??= localStorage.getItem("tessera-single-keys") ?? "on"; // an account keeps it on the server

// A board that arrives brings the names of its keys.
function hush() {
  if (root.dataset.singleKeys !== "off") return;
  for (const each of document.querySelectorAll("[aria-keyshortcuts]")) each.removeAttribute("aria-keyshortcuts");
}
document.addEventListener("htmx:after:swap", hush);
hush();

// They are stopped here, on their way to whatever listens to them on this page.
window.addEventListener("keydown", (event) => {
  const stopped = root.dataset.singleKeys === "off" || event.target.closest?.(WRITING);
  if (event.key?.length === 1 && stopped) event.stopImmediatePropagation();
}, { capture: true });

// --- the switch for sound, in menu and footer and beside a board. It is here for the same reason. ---

const SOUND = "tessera-sound";
const switches = document.querySelectorAll("[data-sound-switch]");
const isSounding = () => localStorage.getItem(SOUND) === "on";

function showSound() {
  for (const each of switches) {
    each.hidden = false;
    each.querySelector("button").setAttribute("aria-pressed", String(isSounding()));
  }
}

for (const each of switches) {
  each.addEventListener("click", () => {
    localStorage.setItem(SOUND, isSounding() ? "off" : "on");
    showSound();
    document.dispatchEvent(new Event("sound-switched"));
  });
}
addEventListener("storage", ({ key }) => { if (key === SOUND) showSound(); });
showSound();
