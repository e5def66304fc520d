// Shows what the socket of every page tells the reader: {"waiting": n}, the matches that wait, in the
// title of the tab, its icon and the icon of the installed app, and in the header how many of them are elsewhere; {"notices": n}, the unread notices, at the
// bell; {"messages": n}, the unread messages, beside it, and {"unread": n}, those of the match that the page shows;
// {"toast": {...}}, a new notice, for some seconds.
const STAYS = 8000;
const MOST = 3;
const BOTH = 1000;

const button = document.getElementById("waiting");
const bell = document.getElementById("bell-count");
const toasts = document.getElementById("toasts");
const icon = document.querySelector("link[rel=icon]");

function showWaiting(count) {
  document.title = document.title.replace(/^(\(\d+\) )?/, count ? `(${count}) ` : "");
  const picture = count ? icon.dataset.waiting : icon.dataset.quiet;
  if (icon.getAttribute("href") !== picture) icon.href = picture;
  if (button) {
    button.dataset.all = count;
    showElsewhere();
  }
  showOnApp(count);
}

// The header leads to other matches than the one that the page shows.
function showElsewhere() {
  const here = document.querySelector("#match-status.my-turn") ? 1 : 0;
  const count = Math.max(0, Number(button.dataset.all) - here);
  button.hidden = !count;
  button.querySelector(".waiting-count").textContent = count;
}

// Number and board come apart, the number mostly a moment later: after a board they are compared once both are here.
let comparing;
if (button && document.getElementById("match")) {
  document.addEventListener("htmx:after:swap", () => {
    clearTimeout(comparing);
    comparing = setTimeout(showElsewhere, BOTH);
  });
}

// Not every browser has badges, and those that do may refuse them; neither is worth a message.
function showOnApp(count) {
  const done = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  done?.catch(() => {});
}

function showUnread(count) {
  if (!bell) return;
  bell.hidden = !count;
  bell.querySelector(".bell-number").textContent = count;
}

function showMessages(count) {
  const letters = document.getElementById("letters");
  if (!letters) return;
  letters.hidden = !count;
  letters.querySelector(".number").textContent = count;
}

function showChat(count) {
  const unread = document.getElementById("chat-unread");
  if (!unread) return;
  unread.hidden = !count;
  unread.querySelector(".number").textContent = count;
}

// --- toasts: they never take the focus or hide a button for long, and stay while the reader is on them -----------

const isHeld = (toast) => toast.matches(":hover, :focus-within");

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function close(toast) {
  const focused = toast.matches(":focus-within");
  toast.remove();
  if (focused) document.getElementById("bell").focus();
}

function closeSoon(toast) {
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { if (!isHeld(toast)) close(toast); }, STAYS);
}

function toastOf({ title, text, url }) {
  const toast = element("div", "toast", "");
  const link = element("a", "toast-title", title);
  link.href = url;
  const words = element("div", "toast-words", "");
  words.append(link, element("p", "", text));
  const button = element("button", "toast-close", "×");
  button.type = "button";
  button.setAttribute("aria-label", toasts.dataset.close);
  button.addEventListener("click", () => close(toast));
  toast.append(words, button);
  for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, () => closeSoon(toast));
  return toast;
}

// One toast per match is enough, and one of each note: a new socket tells again what came since the page was made. In a
// hidden tab the title says it.
let newest = 0;
function showToast(words) {
  const isOld = words.key <= newest;
  newest = Math.max(newest, words.key);
  if (!toasts || document.hidden || isOld) return;
  const shown = [...toasts.children];
  const old = shown.find((toast) => toast.querySelector("a").getAttribute("href") === words.url)
    ?? (shown.length >= MOST && (shown.find((toast) => !isHeld(toast)) ?? shown[0]));
  if (old) close(old);
  const toast = toastOf(words);
  toasts.append(toast);
  closeSoon(toast);
}

toasts?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close(event.target.closest(".toast"));
});

// --- what comes ------------------------------------------------------------------------------------------------------

const show = { waiting: showWaiting, notices: showUnread, messages: showMessages, unread: showChat, toast: showToast };

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const { data } = event.detail.message;
  const name = /^\{"(waiting|notices|messages|unread|toast)":/.exec(data)?.[1];
  if (name) show[name](JSON.parse(data)[name]);
});

const now = Number(button?.dataset.all ?? 0);
if (now) showWaiting(now);

// The installed app has a page for when there is no connection. A tab has the browser's own, and needs no worker.
const worker = document.querySelector("link[rel=manifest]").dataset.worker;
const install = () => navigator.serviceWorker?.register(worker, { scope: "/" }).catch(() => {});
if (matchMedia("(display-mode: standalone)").matches) install();
addEventListener("appinstalled", install);

// Where push messages are on, the subscription is looked after once the page is at rest.
const { renewing } = document.querySelector("link[rel=manifest]").dataset;
const LATER = 2000;
if (renewing) addEventListener("load", () => setTimeout(() => import(renewing).then(({ renew }) => renew()).catch(() => {}), LATER));
