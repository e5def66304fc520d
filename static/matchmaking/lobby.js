// Brings the lists up to date without moving anything under the pointer: what is new comes last, what is gone stays
// greyed until pointer and focus have left the list.
const lobby = document.getElementById("lobby");
const own = document.getElementById("own");
const lists = document.getElementById("lists");
const shown = new Map();

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html").body;
}

function isTouched(list) {
  return list.matches(":hover") || list.contains(document.activeElement);
}

function settle(list) {
  if (isTouched(list)) return;
  for (const item of list.querySelectorAll(":scope > .gone")) item.remove();
}

function grey(item) {
  item.classList.add("gone");
  for (const button of item.querySelectorAll("button")) button.disabled = true;
}

function replace(item, fresh) {
  const focused = item.contains(document.activeElement) ? document.activeElement.id : "";
  item.replaceWith(fresh);
  if (focused) document.getElementById(focused)?.focus();
}

function reconcile(list, fresh) {
  const wanted = new Map([...fresh.children].map((item) => [item.id, item]));
  for (const item of [...list.children]) {
    const now = wanted.get(item.id);
    if (!now) grey(item);
    else if (item.matches(".gone") || shown.get(item.id) !== now.outerHTML) replace(item, now);
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
