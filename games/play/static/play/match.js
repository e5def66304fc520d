// The match page: never show an older board than the one shown, name each request, say what happened, count clocks
// down. What can wait is in files of its own, each of which is fetched when it is first wanted: every one costs a request.

const page = document.getElementById("page");
const form = document.getElementById("act");
const live = document.getElementById("live");

const board = () => document.getElementById("match");
const shownVersion = () => Number(board()?.dataset.version ?? -1);
const shownLength = () => Number(board()?.dataset.length ?? 0);

// A request keeps its name until it was answered, so that sending it again does nothing twice.
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const named = () => crypto.randomUUID?.() ?? hex(crypto.getRandomValues(new Uint8Array(16)));  // only over https
const renew = () => { form.elements.client_id.value = named(); };
renew();

// Where the socket is open the form travels over it, otherwise it is posted. What is not answered in time, or is asked for
// again, is posted under the same name: the server does it once. A new socket gets it as well.
const IN_TIME = 3000;
const GIVEN_UP = 15000;
const overSocket = new Set(form.dataset.overSocket.split(" "));
let socket;
let pending;
let posting = false;

const isOpen = () => socket?.readyState === WebSocket.OPEN;
const kindOf = (action) => new URL(action, location.href).pathname.split("/").at(-2);
const undelivered = (status) => document.dispatchEvent(new CustomEvent("undelivered", { detail: status }));

function send({ action, body }) {
  const kind = kindOf(action);
  const fields = new URLSearchParams(body);
  pending = { action, fields, name: fields.get("client_id"), data: JSON.stringify({ kind, form: fields.toString() }) };
  document.dispatchEvent(new Event("delivering"));
  if (!isOpen()) { post(pending); return; }
  socket.send(pending.data);
  pending.late = setTimeout(post, IN_TIME, pending);
}

// The request is answered, or its player has been told that it was not.
function finish(request) {
  clearTimeout(request.late);
  if (pending === request) pending = undefined;
}

async function post(request) {
  clearTimeout(request.late);
  request.posted = true;
  request.late = setTimeout(undelivered, IN_TIME, "underway");
  let answer;
  let text;
  try {
    const { fields: body } = request;
    const headers = { "HX-Request": "true" };
    answer = await fetch(request.action, { method: "POST", body, headers, signal: AbortSignal.timeout(GIVEN_UP) });
    text = await answer.text();
  } catch {
    if (pending === request) undelivered(0);
    finish(request);
    return;
  }
  const waited = pending === request;
  finish(request);
  if (answer.status < 500 && form.elements.client_id.value === request.name) renew();
  if (answer.headers.has("HX-Redirect")) { location.assign(answer.headers.get("HX-Redirect")); return; }
  if (answer.ok || REFUSED.has(answer.status)) show(answer, text);
  else if (waited) undelivered(answer.status);
}

// The answer to a posted form: the board, and perhaps why nothing was done.
const REFUSED = new Set([409, 422]);

function show(answer, text) {
  const version = Number(answer.headers.get("X-Match-Version") ?? NaN);
  document.dispatchEvent(new Event("delivered"));
  if (version < shownVersion() && !answer.ok) undelivered(409);
  if (version < shownVersion() || (answer.ok && isShown(version))) return;
  htmx.swap({ sourceElement: form, target: "#match", swap: "outerMorph", text, transition: false });
}

// Somebody who presses again has waited long enough for the socket. Another request has to wait: its player is told.
function pressAgain({ action, body }) {
  const isSame = kindOf(action) === kindOf(pending.action) && choice(body) === choice(pending.fields);
  if (pending.posted || !isSame) undelivered("underway");
  if (!pending.posted) post(pending);
}

// What a form asks for, whatever board its page shows by now.
function choice(body) {
  const fields = new URLSearchParams(body);
  for (const name of ["version", "client_id"]) fields.delete(name);
  return fields.toString();
}

form.addEventListener("htmx:config:request", (event) => {
  const request = event.detail.ctx.request;
  if (request.submitter?.hasAttribute("formaction")) request.action = request.submitter.formAction;
  const isOurs = overSocket.has(kindOf(request.action));
  if (!isOurs && !pending && !posting) return;
  event.preventDefault();
  if (pending) pressAgain(request);
  else if (posting) undelivered("underway");
  else send(request);
});

// What only a posted form can ask for: at a table, for example.
form.addEventListener("htmx:before:request", () => { posting = true; });
form.addEventListener("htmx:finally:request", () => { posting = false; });
form.addEventListener("htmx:after:request", (event) => {
  if (event.detail.ctx.response?.status < 500) renew();
});

// The form says which version its player saw. What they ask for on another board is another request.
document.addEventListener("htmx:after:swap", () => {
  if (Number(form.elements.version.value) === shownVersion()) return;
  form.elements.version.value = shownVersion();
  renew();
});

const FAILED = { away: 503, broken: 500 };

function answered({ answer, status }) {
  if (!FAILED[status] && answer === form.elements.client_id.value) renew();
  if (answer !== pending?.name) return;
  finish(pending);
  if (FAILED[status]) undelivered(FAILED[status]);
  else document.dispatchEvent(new Event("delivered"));
}

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

// What had the focus may go with the old board, or be of no use now: the status line takes it, so that keys go on there.
let focused = false;
document.addEventListener("htmx:before:swap", () => { focused = !!document.activeElement.closest("#match"); });
document.addEventListener("htmx:after:swap", () => {
  const lost = document.activeElement === document.body || document.activeElement.matches(":disabled");
  if (focused && lost) document.getElementById("status")?.focus({ preventScroll: true });
});

// A question that comes back instead of a turn is answered by a button of its own: the keyboard goes on there, and the end
// of a double press or a key that is held is no answer.
const HASTE = 500;
let asked = null;
document.addEventListener("htmx:after:swap", () => {
  const sure = document.getElementById("sure");
  const question = sure?.closest("#notice:not(:popover-open)");
  if (question) question.popover = "manual";
  question?.showPopover();
  if (sure && !asked) sure.focus();
  asked = sure && (asked ?? performance.now());
});
document.addEventListener("click", (event) => {
  if (event.target.closest?.("#not-sure")) {
    event.preventDefault();
    document.getElementById("notice").remove();
    document.getElementById("status").focus({ preventScroll: true });
  }
  if (!event.target.closest?.("#sure") || performance.now() - asked > HASTE) return;
  asked = performance.now();
  event.preventDefault();
}, { capture: true });

// The answer to a request of this page is not pushed to it as well; when it got lost, a heartbeat tells of it.
const catchUp = () => { if (isOpen()) socket.send('{"kind":"hello"}'); };
document.addEventListener("dialog-answered", () => { if (isOpen()) catchUp(); else location.reload(); });

// Only a visible tab in which something was touched lately reports that its reader, who plays here, is looking at the match:
// a tab that is left open looks at nothing. Whoever opens it or comes back to it has touched something.
const PRESENT_EVERY = 12000;
const AWAKE = 120000;

let touched = performance.getEntriesByType("navigation")[0]?.type === "navigate" ? performance.now() : -AWAKE;

function touch({ isTrusted }) {
  if (!isTrusted) return;
  const wasAwake = isAwake();
  touched = performance.now();
  if (!wasAwake) tellPresence();
}

const isAwake = () => performance.now() - touched < AWAKE;
const isSeen = () => document.visibilityState === "visible" && isAwake() && board()?.dataset.seat !== undefined;

for (const name of ["pointerdown", "click", "keydown", "wheel", "touchstart", "touchmove", "input"]) {
  addEventListener(name, touch, { capture: true, passive: true });
}
// Browsers also say that a pointer moves when the page moves beneath it.
let at = "";
addEventListener("pointermove", (event) => {
  const now = `${event.screenX} ${event.screenY}`;
  if (at && at !== now) touch(event);
  at = now;
}, { capture: true, passive: true });

function tellPresence() {
  if (isSeen() && isOpen()) socket.send('{"kind":"presence"}');
}

page.addEventListener("htmx:ws:before:message:incoming", (event) => {
  if (event.detail.polled) return;
  const opened = socket !== event.detail.connection.socket;
  socket = event.detail.connection.socket;
  if (!opened) return;
  tellPresence();
  if (pending) socket.send(pending.data);
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) touched = performance.now(); tellPresence(); });
setInterval(tellPresence, PRESENT_EVERY);
document.addEventListener("polling", ({ detail }) => {
  detail.set("version", shownVersion());
  if (isSeen()) detail.set("looking", "");
});

let announced = shownLength();

page.addEventListener("htmx:ws:before:message:incoming", (event) => {
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (message.answer !== undefined) answered(message);
  if (message.error !== undefined && pending) answered({ answer: pending.name, status: "broken" });
  // A refusal brings the board that is shown, and its reason; one that comes too late is told in words.
  const refused = message.status !== undefined && message.status !== "done";
  const refuses = refused && message.version >= shownVersion();
  if (refused && message.version < shownVersion()) undelivered(409);
  const brings = message.content !== undefined && (refuses || !isShown(message.version));
  const fits = message.base === undefined || message.base === shownVersion();
  if (message.content !== undefined && !(brings && fits)) event.preventDefault();
  if (message.content === undefined ? message.version > shownVersion() : brings && !fits) catchUp();
});

// What changes an element that is not there belongs to another board.
page.addEventListener("htmx:before:swap", (event) => {
  if (event.detail.tasks.every(({ target }) => target)) return;
  event.preventDefault();
  catchUp();
});

// Say each new line once, the oldest first. What one did oneself is said as well: it confirms.
const announce = () => {
  const fresh = [...document.querySelectorAll("#log-lines [data-number]")]
    .filter((line) => Number(line.dataset.number) > announced)
    .reverse();
  announced = shownLength();
  const status = document.getElementById("status")?.textContent ?? "";
  if (fresh.length && live) live.textContent = [...fresh.map(told), status].join(" ");
};

// Of a sentence in which the reader is called "you" both versions are there, and styles show one. What is shown instead of
// a sentence, beside pictures, is not said.
function told(line) {
  const said = line.cloneNode(true);
  for (const shown of said.querySelectorAll("[aria-hidden]")) shown.remove();
  for (const words of said.querySelectorAll("[data-told], .all")) {
    const own = words.parentElement.querySelector(`[data-told="${board()?.dataset.seat}"]`);
    if (words !== (own ?? words.parentElement.lastElementChild)) words.remove();
  }
  return said.textContent.trim();
}

document.addEventListener("htmx:after:swap", announce);

// A finger feels what it chooses and sends, where the device can do that.
const feel = () => { if (matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(8); };
page.addEventListener("input", ({ target }) => { if (target.closest("#board")) feel(); });
form.addEventListener("submit", feel);

const typing = (target) => target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, dialog");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const action = shortcuts[event.key];
  if (action) { event.preventDefault(); action(); }
});

// Where there is little room the log is a sheet, which has to come up first.
function toLog() {
  const log = document.getElementById("log");
  if (log && !log.checkVisibility()) log.showPopover();
  document.querySelector("#log-lines a")?.focus();
}

const shortcuts = {
  n: () => document.querySelector("#waiting")?.click(),
  l: toLog,
  u: () => document.getElementById("undo")?.click(),
  "?": () => import(page.dataset.keys).then((keys) => keys.follow()),
};

// Counts clocks down to the deadlines which the server has set, on the server's time: the reader's clock may be wrong.
if (page.dataset.now !== undefined) {
  // What the server said it was, less what has passed here since the page began. A message takes time on its way, never
  // less than none, so the largest difference seen is the truest.
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
    if (!clock.closest(`#player-${board()?.dataset.seat}`) || warned === clock.dataset.deadline) return;
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
}

// What can wait until the page is at rest: what moves, and who of the others is here. Sounds wait until they are wanted.
const REST = 1000;
const LATER = 8000; // nobody prints at once
addEventListener("beforeprint", () => dressed(page.dataset.paper));
const SOUND = "tessera-sound";
const leisurely = (script) => import(script).catch(() => {});  // Firefox calls it an error if the page is left meanwhile
const sounds = () => import(page.dataset.sound);

// What a newcomer is told above the board, at once: nobody waits for it.
function coach() {
  const { script } = document.getElementById("coach")?.dataset ?? {};
  if (script) leisurely(script);
}
coach();

addEventListener("load", () => setTimeout(() => {
  if (page.dataset.motion) leisurely(page.dataset.moving);
  setTimeout(dressed, LATER, page.dataset.paper);
  if (page.dataset.company) setTimeout(() => leisurely(page.dataset.introducing), REST);
  if (localStorage.getItem(SOUND) === "on") leisurely(page.dataset.sound);
}, REST));
addEventListener("storage", ({ key }) => { if (key === SOUND) sounds(); });
document.addEventListener("sound-switched", () => sounds().then(({ switched }) => switched()));

// On a phone the tools are a sheet, which gives way to what one of them does.
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#tools > .button")) document.getElementById("tools").hidePopover();
});

// Styles that a running match does not need come with what they dress, which is shown when they are there.
async function dressed(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  await new Promise((ready) => {
    link.onload = link.onerror = ready;
    document.head.append(link);
  });
}

// What lies around the board is not pushed: it is fetched once when the match begins and when it ends.
const AGAIN = 2000;
const follow = () => {
  const known = document.getElementById("around").dataset.status;
  if ((board()?.dataset.status ?? known) === known) return;
  page.dataset.changes = known;
  import(page.dataset.around).then((around) => around.renew(dressed)).then(coach).catch(() => setTimeout(follow, AGAIN));
};
document.addEventListener("htmx:after:swap", follow);

// Links that do more with a script than lead somewhere. Without one, or when it cannot be had, they lead there.
const late = {
  "[data-opens-rules], #rules-text a[href^='#']": page.dataset.rulesWindow,
  "[data-share], #copy-embed": page.dataset.sharing,
  "[data-opens-chat]": page.dataset.chat,
  "[data-opens-shortcuts]": page.dataset.keys,
  "[data-opens-dialog]": page.dataset.dialog,
};

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  for (const [selector, script] of Object.entries(late)) {
    const link = event.target.closest?.(selector);
    if (!link) continue;
    event.preventDefault();
    Promise.all([import(script), dressed(page.dataset.over)])
      .then(([loaded]) => loaded.follow(link, dressed, socket)).catch(() => { if (link.href) location.assign(link.href); });
  }
});
document.addEventListener("pointerover", ({ target: link }) => link.matches?.("[data-picture]") // they may share it soon
  && import(page.dataset.sharing).then((to) => to.prepare(link)).catch(() => {}));

// On a phone a tap beside what lies over the board closes it and does nothing else.
{
  const inHand = matchMedia("(width < 40rem)");
  let closes = false;
  document.addEventListener("pointerdown", ({ target }) => {
    const open = inHand.matches && document.querySelector('[popover=""]:popover-open');
    closes = Boolean(open) && !open.contains(target) && !target.closest?.(`[popovertarget="${open.id}"]`);
  }, { capture: true });
  document.addEventListener("click", (event) => {
    if (!closes || event.detail === 0) return;
    closes = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
}

// What others did while the reader was away is told once the page is at rest, and again when they ask for it.
{
  const bar = () => document.getElementById("past")?.dataset;
  const tell = (from) => Promise.all([import(bar().script), dressed(page.dataset.over)]).then(([past]) => past.tell(from)).catch(() => {});

  const welcome = () => {
    if (!bar()?.from || document.visibilityState !== "visible") return;
    tell(bar().from);
    delete bar().from;
  };

  if (document.readyState === "complete") welcome();
  else addEventListener("load", welcome);
  document.addEventListener("visibilitychange", welcome);
  document.addEventListener("click", ({ target }) => { if (target.closest?.("#what-happened")) tell(); });
}

// The player's share of the shuffle, and what this browser keeps of it: wanted at a table and by whoever opens the box
// about the fair shuffle.
const asksForNonce = () => document.querySelector("#nonce, button[data-commit], #fairness[open]");
const loadNonce = () => { if (asksForNonce()) leisurely(page.dataset.nonce); };

document.addEventListener("toggle", loadNonce, { capture: true });
document.addEventListener("htmx:after:swap", loadNonce);
loadNonce();

// Whoever asks for a rematch is shown the fingerprint of its table, and sits down there (nonce.js); without a script the
// site sits them down. Noted here, as the button can be pressed at once.
document.addEventListener("submit", ({ submitter }) => {
  if (submitter?.id !== "rematch") return;
  sessionStorage.setItem("tessera-rematch", submitter.formAction);
  submitter.name = "shown";
}, { capture: true });

// What the button of the rematch says, when somebody wants one: told by a hint, and again whenever the socket is new or the
// number of unread notices changes, as a hint may be lost.
let toldBefore = false;
document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
  const [, name] = /^\{"(rematch|notices)":/.exec(detail.message.data) ?? [];
  if (name && (toldBefore || name === "rematch") && document.getElementById("rematch-offer")) {
    import(page.dataset.rematch).then(({ renew }) => renew()).catch(() => {});
  }
  toldBefore ||= name === "notices";
});
