// Brings the lists of the lobby, and of one's own matches, up to date without moving anything under the pointer: what is
// new comes last, and what is gone stays greyed, until pointer and focus have left the list. On touch screens there is no
// pointer to tell where a finger is about to land, so new entries stay last there.
const hovers = matchMedia("(hover: hover)");
const orders = new Map();

const by = (id) => document.getElementById(id);

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html").body;
}

function isTouched(list) {
  return list.matches(":hover") || list.contains(document.activeElement);
}

function settle(list) {
  if (isTouched(list)) return;
  for (const item of list.querySelectorAll(":scope > .gone, :scope > .pushed-off")) item.remove();
  if (hovers.matches) sort(list, orders.get(list.id) ?? []);
}

function sort(list, order) {
  const places = new Map(order.map((id, place) => [id, place]));
  const items = [...list.children];
  const sorted = [...items].sort((one, other) => places.get(one.id) - places.get(other.id));
  if (sorted.some((item, place) => item !== items[place])) list.append(...sorted);
}

function grey(item) {
  item.classList.add("gone");
  for (const button of item.querySelectorAll("button")) button.disabled = true;
}

// Entries that newer ones have pushed to the next page stay for readers who are about to press them.
function retire(item, last) {
  if (Number(item.dataset.key) < last) item.classList.add("pushed-off");
  else grey(item);
}

// What was opened stays open, and what had the focus keeps it.
function replace(item, fresh) {
  const focused = item.contains(document.activeElement) ? document.activeElement.id : "";
  const old = item.querySelector("details");
  if (old?.open) fresh.querySelector("details").open = true;
  item.replaceWith(fresh);
  if (focused) by(focused)?.focus();
}

// What a push says of a list: the ids in their order, and the entries that the page does not have as they are.
function reconcile(list, { order, fresh, more }) {
  const come = new Map(Object.entries(fresh).map(([id, html]) => [id, parse(html).firstElementChild]));
  const wanted = new Set(order);
  orders.set(list.id, order);
  const lowest = more ? Number((come.get(order.at(-1)) ?? by(order.at(-1)))?.dataset.key) : Number.NaN;
  for (const item of [...list.children]) {
    const now = come.get(item.id);
    if (!wanted.has(item.id)) retire(item, lowest);
    else if (now && (item.matches(".gone, .pushed-off") || now.dataset.version !== item.dataset.version)) replace(item, now);
    come.delete(item.id);
  }
  list.append(...come.values());
  settle(list);
}

function markOwn() {
  const own = by("own");
  const tables = by("tables");
  if (!own || !tables) return;
  const mine = new Set([...own.querySelectorAll("[data-slug]")].map((item) => `table-${item.dataset.slug}`));
  for (const item of tables.children) item.classList.toggle("own", mine.has(item.id));
}

function show({ own, ...lists }) {
  for (const [id, told] of Object.entries(lists)) {
    const list = by(id);
    list.toggleAttribute("data-more", told.more);
    reconcile(list, told);
    const count = document.querySelector(`[data-count-of="${id}"]`);
    if (count) count.textContent = told.order.length;
    count?.classList.toggle("accent", told.order.length > 0);
  }
  const pages = by("pages");
  if (lists.tables && pages.innerHTML !== lists.tables.below) pages.innerHTML = lists.tables.below;
  if (own !== undefined && by("own").innerHTML !== own) by("own").replaceChildren(...parse(own).childNodes);
  markOwn();
}

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (message.content === undefined) return;
  event.preventDefault();
  show(message.content);
});

function settleAll() {
  for (const list of document.querySelectorAll(".live-list")) if (orders.has(list.id)) settle(list);
}

document.addEventListener("pointerover", settleAll);
document.addEventListener("focusout", () => setTimeout(settleAll));
// Other filters bring other lists, and the page says how many tables there are.
document.addEventListener("htmx:after:swap", () => {
  orders.clear();
  markOwn();
  by("live").textContent = by("lobby")?.dataset.said ?? "";
});
markOwn();

// --- sitting down: the player's share of the shuffle (nonce.js) is fetched when somebody begins to use the page ----------

const sit = by("sit");
let nonce = null;
let loaded = false;

function load() {
  nonce ??= import(sit.dataset.nonce).then(() => { loaded = true; }, (lost) => { nonce = null; throw lost; });
  return nonce;
}

// Whoever leaves the page meanwhile stops it: Firefox calls that an error.
const begin = () => load().catch(() => {});

if (sit) {
  for (const name of ["pointerover", "pointerdown", "keydown"]) document.addEventListener(name, begin, { once: true });
  sit.addEventListener("submit", async (event) => {
    if (loaded) return;
    event.preventDefault();
    await load().catch(() => { loaded = true; }); // without it no number is sent, and the match is fair all the same
    sit.requestSubmit(event.submitter);
  });
}
