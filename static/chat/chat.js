// Messages: beside a board, in a window that opens over the page, and on pages of their own. What is written travels over
// the socket of the page where it is open, otherwise the form is posted.

const PANEL = "#chat-panel";
const page = document.getElementById("page");
const live = document.getElementById("live");

// How long a message may go unanswered before it is posted, under the same name: the server writes it once.
const IN_TIME = 3000;

let socket;
let lost;  // the last one that could not be delivered; perhaps only its answer was lost
let waiting;  // what has not been answered yet: the form, its fields, what was typed, and whether it has been posted

const isOpen = () => socket?.readyState === WebSocket.OPEN;
const send = (kind, form = "") => isOpen() && socket.send(JSON.stringify({ kind, form }));
const chat = () => document.getElementById("chat");
const isShown = () => (chat() ? chat().matches(":popover-open") : page?.hasAttribute("data-chats"));
const named = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const toEnd = (lines) => { lines.scrollTop = lines.scrollHeight; };
const isAtEnd = (lines) => lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;

// --- what is typed -----------------------------------------------------------------------------------------------------

// What is typed and not sent stays when another panel takes the place of this one, or the page is left for a moment.
const words = () => [...document.querySelectorAll(".chat-text")].map(({ id, value, selectionStart, selectionEnd }) => ({ id, value, selectionStart, selectionEnd }));

// Returns where the focus is, in a panel that is about to go: at something that the next one has too.
function focused() {
  const at = document.activeElement?.closest(`${PANEL} *`);
  return at?.id || at?.closest("[data-room]")?.id;
}

function typeAgain(kept, at, sent) {
  for (const { id, value, selectionStart, selectionEnd } of kept) {
    const field = document.getElementById(id);
    if (!field || !value || (id === sent?.id && value === sent.value)) continue;
    field.value = value;
    if (id === at) field.setSelectionRange(selectionStart, selectionEnd);
  }
  document.getElementById(at)?.focus({ preventScroll: true });
}

function typeAsLeft() {
  const { path, kept } = JSON.parse(sessionStorage.getItem("chat") ?? "{}");
  sessionStorage.removeItem("chat");
  if (path === location.pathname) typeAgain(kept);
}

addEventListener("pagehide", () => {
  sessionStorage.setItem("chat", JSON.stringify({ path: location.pathname, kept: words() }));
});

// --- what comes --------------------------------------------------------------------------------------------------------

function say(line) {
  const author = line.querySelector(".chat-author").textContent.trim();
  const words = line.querySelector(".chat-words").textContent.trim();
  live.textContent = `${author}: ${words}`;
}

const isEarlier = (line, first) => !line.id || Number(line.id.split("-")[1]) < Number(first.id.split("-")[1]);

// What was loaded of earlier messages stays, and the way to those before it.
function keepEarlier(old, fresh) {
  const first = fresh.querySelector("[id]");
  if (!old.hasAttribute("data-back") || !first) return;
  const earlier = [...old.children].filter((line) => isEarlier(line, first));
  fresh.querySelector(".chat-earlier")?.remove();
  fresh.prepend(...earlier);
}

function renew(old, fresh) {
  const stays = isAtEnd(old);
  keepEarlier(old, fresh);
  const known = new Set([...old.children].map(({ id }) => id));
  const news = [...fresh.children].filter(({ id, className }) => id && !known.has(id) && className !== "mine");
  old.replaceChildren(...fresh.children);
  if (stays) toEnd(old);
  if (news.length) say(news.at(-1));
}

// The rooms themselves change when a match begins or ends.
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelectorAll("[data-room]");
  const shown = document.querySelectorAll("[data-room]");
  const names = (lists) => [...lists].map(({ id }) => id).join();
  if (names(fresh) !== names(shown)) { load(); return; }
  for (const lines of fresh) renew(document.getElementById(lines.id), lines);
}

function answered({ said, refused, status }) {
  if (waiting?.fields.get("client_id") !== said) return;
  const { form, text } = waiting;
  const field = document.getElementById(form.elements.text.id) ?? form.elements.text;  // the panel can be another one
  finish(waiting);
  refuse(field.form, refused ?? "");
  if (status) document.dispatchEvent(new CustomEvent("undelivered", { detail: 503 }));
  else if (!refused) clear(field, text);
}

function clear(field, sent) {
  field.form.elements.client_id.value = named();
  if (field.value === sent) field.value = "";
  field.form.querySelector("details").open = false;
}

function refuse(form, words) {
  document.getElementById("chat-refusal")?.remove();
  if (!words) return;
  const notice = Object.assign(document.createElement("p"), { id: "chat-refusal", className: "notice bad", textContent: words });
  notice.setAttribute("role", "alert");
  form.before(notice);
}

function adopt(fresh) {
  const opened = socket !== fresh;
  socket = fresh;
  if (opened && isShown()) send("chat");
  if (opened && waiting) send("say", waiting.fields.toString());  // it is written once, even if only the answer was lost
}

document.addEventListener("polling", ({ detail }) => { if (isShown()) detail.set("chat", ""); });

// Only the socket of the page itself takes messages: the one of every page, beside it, does not.
page?.addEventListener("htmx:ws:before:message:incoming", (event) => {
  if (!event.detail.polled) adopt(event.detail.connection.socket);
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (message.chat !== undefined && isShown()) show(message.chat);
  if (message.said !== undefined) answered(message);
});

// --- what is written ---------------------------------------------------------------------------------------------------

// Returns what was typed that is now sent: nothing with one of the phrases.
const typedFor = (fields) => (fields.has("phrase") ? undefined : fields.get("text"));

const undelivered = (status) => document.dispatchEvent(new CustomEvent("undelivered", { detail: status }));

// The message is answered, or its author has been told that it was not.
function finish(message) {
  clearTimeout(message.late);
  if (waiting === message) waiting = undefined;
}

// Posts a form; the answer is shown in its place.
async function post(message) {
  clearTimeout(message.late);
  message.posted = true;
  message.late = setTimeout(undelivered, IN_TIME, "underway");
  const { form, fields, text } = message;
  try {
    await renewed(asked(form.action, { method: "POST", body: fields, signal: AbortSignal.timeout(5 * IN_TIME) }), { id: form.elements.text?.id, value: text });
    document.dispatchEvent(new Event("delivered"));
  } catch (error) {
    if (waiting === message) undelivered(error.status ?? 0);
    lost = fields;
  } finally {
    finish(message);
  }
}

// Lines that came over the socket have no token of their own.
function fieldsOf(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  fields.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  return fields;
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-says], .chat-undo");
  if (!form) return;
  event.preventDefault();
  let fields = fieldsOf(form, event.submitter);
  if (waiting) {
    const isSame = waiting.fields.toString() === fields.toString();
    if (waiting.posted || !isSame) undelivered("underway");
    if (!waiting.posted) post(waiting);
    return;
  }
  if (lost?.get("client_id") && lost.get("client_id") === fields.get("client_id") && lost.toString() !== fields.toString()) {
    form.elements.client_id.value = named();  // other words are another message
    fields = fieldsOf(form, event.submitter);
  }
  waiting = { form, fields, text: typedFor(fields) };
  document.dispatchEvent(new Event("delivering"));
  if (form.matches("[data-says]") && isOpen()) {
    send("say", fields.toString());
    waiting.late = setTimeout(post, IN_TIME, waiting);
  } else post(waiting);
});

// --- what was written earlier ------------------------------------------------------------------------------------------

const asked = (address, more) => fetch(address, { ...more, headers: { "HX-Request": "true" } });

// Returns the page that an answer brings. A refusal brings one too, with its reason.
async function parsed(asking) {
  const answer = await asking;
  if (answer.status >= 400 && ![422, 429].includes(answer.status)) throw Object.assign(new Error(answer.statusText), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Puts what a link leads to in its place; what is read stays where it is.
async function goBack(link) {
  const lines = link.closest("[data-room]");
  lines.setAttribute("data-back", "");  // from now on: somebody may write while the answer is on its way
  const fresh = (await parsed(asked(link.href))).getElementById(lines.id);
  if (!fresh) throw new Error("there are no messages in the answer");
  const below = lines.scrollHeight - lines.scrollTop;
  fresh.querySelector(".chat-latest-ones")?.remove();
  link.parentElement.replaceWith(...fresh.children);
  lines.scrollTop = lines.scrollHeight - below;
  lines.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-earlier]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goBack(link).catch(() => location.assign(link.href));
});

// --- the window beside a board -----------------------------------------------------------------------------------------

let from;

// Shows the panel that an answer brings in place of the one that is shown.
async function renewed(answer, sent) {
  const fresh = (await parsed(answer)).querySelector(PANEL);
  if (!fresh) throw new Error("there are no messages in the answer");
  const old = document.querySelector(PANEL);
  const [kept, at] = [words(), focused()];
  if (old) old.replaceWith(document.adoptNode(fresh));
  else chat().append(document.adoptNode(fresh));
  document.querySelectorAll("[data-room]").forEach(toEnd);
  typeAgain(kept, at, sent);
}

const load = () => renewed(asked(from ?? location.href));

function made(title) {
  const window = Object.assign(document.createElement("aside"), { id: "chat", className: "chat", popover: "manual" });
  const head = Object.assign(document.createElement("h2"), { id: "chat-title", textContent: title });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button small quiet", textContent: "×" });
  const top = Object.assign(document.createElement("div"), { className: "chat-top" });
  close.setAttribute("aria-label", document.getElementById("toasts")?.dataset.close ?? "×");
  close.addEventListener("click", shut);
  top.append(head, close);
  window.setAttribute("aria-labelledby", "chat-title");
  window.append(top);
  window.addEventListener("keydown", ({ key }) => { if (key === "Escape") shut(); });
  page.append(window);
  return window;
}

// Where the log stands beside the board, the window takes what is free of that column below the newest lines; if there is
// none in sight, a corner where neither hand nor buttons lie (chat.css).
const LEAST = 300; // pixels
const MARGIN = 12;

function dock() {
  if (!chat()?.matches(":popover-open")) return;
  const log = document.getElementById("log");
  const beside = log && getComputedStyle(log).position === "static";
  chat().classList.toggle("beside", Boolean(beside));
  chat().removeAttribute("style");
  if (!beside) return;
  const column = log.getBoundingClientRect();
  const bottom = Math.min(column.bottom, innerHeight - MARGIN);
  const latest = document.querySelector("#log-lines > li")?.getBoundingClientRect().bottom ?? column.top;
  const top = Math.max(MARGIN, Math.min(document.getElementById("whole-log").getBoundingClientRect().bottom + MARGIN, Math.max(latest + MARGIN, bottom - LEAST)));
  if (bottom - top < LEAST / 2 || column.width > innerWidth / 2) return;
  Object.assign(chat().style, { inset: `${top}px auto auto ${column.left}px`, width: `${column.width}px`, height: `${bottom - top}px` });
}

let docking;
const dockSoon = () => { cancelAnimationFrame(docking); docking = requestAnimationFrame(dock); };
addEventListener("resize", dockSoon);
addEventListener("scroll", dockSoon, { passive: true });
document.addEventListener("htmx:after:swap", dockSoon);
document.addEventListener("dialog-answered", () => { if (isShown()) load(); }); // somebody was muted, perhaps

function shut() {
  chat().hidePopover();
  send("hush");
  document.getElementById("open-chat")?.focus();
}

// Opens the window for the link that leads to the page of the messages, or closes it. The socket of the page brings
// nothing for some seconds, perhaps.
export async function follow(link, dressed, open) {
  if (chat()?.matches(":popover-open")) { shut(); return; }
  socket ??= open;
  from = link.href;
  await dressed(link.dataset.styles);
  if (!chat()) made(link.querySelector(".visually-hidden").textContent);
  await load();
  typeAsLeft();
  chat().showPopover();
  dock();
  document.querySelectorAll("[data-room]").forEach(toEnd);
  document.getElementById("chat-unread").hidden = true;
  if (matchMedia("(hover: hover)").matches) document.querySelector(`${PANEL} .chat-text`)?.focus();
  send("chat");
}

document.querySelectorAll("[data-room]").forEach(toEnd);
if (!page.dataset.chat) typeAsLeft();
