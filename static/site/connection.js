// Tells the reader when the page's socket is lost, and brings it back as soon as the network or the reader returns.
// The server beats every 4 s; silence for longer than SILENCE means lost, whatever the socket itself believes.
const SILENCE = 9000;
const RECENT = 5000;

const banner = document.getElementById("connection");
const live = document.getElementById("live");
const text = banner.querySelector(".connection-text");
let connection = null;
let heard = performance.now();
let ended = false;

function say(words) {
  text.textContent = words;
  live.textContent = words;
}

function show() {
  if (!banner.hidden) return;
  banner.hidden = false;
  say(banner.dataset.lost);
}

function hide() {
  heard = performance.now();
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
    location.reload();
    return;
  }
  clearTimeout(connection.timer);
  connection.attempt = 0;
  connection.socket?.dispatchEvent(new CloseEvent("close", { code: 1006 }));
}

function check() {
  if (!connection || ended || !silent(SILENCE)) return;
  const socket = connection.socket;
  const open = socket?.readyState === WebSocket.OPEN;
  show();
  if (open) dialAgain();
}

document.addEventListener("htmx:ws:before:connection", (event) => {
  connection = event.detail.connection;
});
document.addEventListener("htmx:ws:after:connection", hide);
document.addEventListener("htmx:ws:before:message:incoming", hide);
document.addEventListener("htmx:ws:close", (event) => {
  const { reason, code } = event.detail;
  if (reason === "removed") {
    connection = null;
    return;
  }
  // Codes that the extension does not dial again for: the server means it (logged out, left, too many).
  ended = !connection?.config.reconnectCodes.includes(code);
  show();
  if (ended) say(banner.dataset.ended);
});

banner.querySelector("button").addEventListener("click", dialAgain);
window.addEventListener("online", dialAgain);
window.addEventListener("offline", () => connection && show());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && silent(RECENT)) dialAgain();
});
// A page that comes back from the browser's back/forward cache shows what was, not what is.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && connection) location.reload();
});
setInterval(check, 1000);
