// Brings the lists up to date without moving anything under the pointer: what is new comes last, and what is gone stays
// greyed, until pointer and focus have left the list. On touch screens there is no pointer to tell
// where a finger is about to land, so new entries stay last there.
const lobby = document.getElementById("lobby");
const own = document.getElementById("own");
const lists = document.getElementById("lists");
const pages = document.getElementById("pages");
const hovers = matchMedia("(hover: hover)");
const shown = new Map();
const orders = new Map();

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
function retire(item, fresh) {
  const last = Number(fresh.lastElementChild?.dataset.key);
  if (fresh.dataset.more !== undefined && Number(item.dataset.key) < last) item.classList.add("pushed-off");
  else grey(item);
}

function replace(item, fresh) {
  const focused = item.contains(document.activeElement) ? document.activeElement.id : "";
  item.replaceWith(fresh);
  if (focused) document.getElementById(focused)?.focus();
}

function reconcile(list, fresh) {
  const wanted = new Map([...fresh.children].map((item) => [item.id, item]));
  orders.set(list.id, [...wanted.keys()]);
  for (const item of [...list.children]) {
    const now = wanted.get(item.id);
    if (!now) retire(item, fresh);
    else if (item.matches(".gone, .pushed-off") || shown.get(item.id) !== now.outerHTML) replace(item, now);
    wanted.delete(item.id);
    if (now) shown.set(now.id, now.outerHTML);
  }
  for (const item of wanted.values()) {
    shown.set(item.id, item.outerHTML);
    list.append(item);
  }
  settle(list);
}

function markOwn() {
  const mine = new Set([...own.querySelectorAll("[data-slug]")].map((item) => `table-${item.dataset.slug}`));
  for (const item of lists.querySelectorAll("#tables > li")) item.classList.toggle("own", mine.has(item.id));
}

function show({ content, own: pieces }) {
  const fresh = parse(content);
  for (const list of lists.querySelectorAll(".live-list")) reconcile(list, fresh.querySelector(`#${list.id}`));
  const links = fresh.querySelector("#pages");
  if (pages.innerHTML !== links.innerHTML) pages.replaceChildren(...links.childNodes);
  if (own.innerHTML !== pieces) own.replaceChildren(...parse(pieces).childNodes);
  markOwn();
}

lobby.addEventListener("htmx:ws:before:message:incoming", (event) => {
  let message;
  try { message = JSON.parse(event.detail.message.data); } catch { return; }
  if (message.content === undefined) return;
  event.preventDefault();
  show(message);
});

for (const list of lists.querySelectorAll(".live-list")) {
  for (const item of list.children) shown.set(item.id, item.outerHTML);
  list.addEventListener("pointerleave", () => settle(list));
  list.addEventListener("focusout", () => setTimeout(() => settle(list)));
}
markOwn();
