// Shows what is pushed where the browser does not do so by itself, and leads to the match it is about; shows a page of its own when there is no connection. It keeps
// that page and static files, whose names change with their content. Pages always come from the site.
const ICON = "{% static 'site/icon-192.png' %}";
const THIS_DEVICE = "{% url 'device_this' %}";

const STORE = "static-{{ version }}";
const OFFLINE = "{% static 'site/offline.html' %}";
const FILES = "{% get_static_prefix %}";
const ITS_FILES = ["tokens.css", "base.css", "components.css", "favicon.svg"].map((name) => `${FILES}site/${name}`);
const NEVER_CHANGES = /\.[0-9a-f]{12}\.[a-z0-9]+$/;

self.addEventListener("install", (event) => event.waitUntil(prepare()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  if (mode === "navigate") event.respondWith(visit(event));
  else if (pathname.startsWith(FILES) && NEVER_CHANGES.test(pathname)) event.respondWith(kept(event.request));
  else if (ITS_FILES.includes(pathname)) event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
});

async function prepare() {
  const store = await caches.open(STORE);
  await store.addAll([OFFLINE, ...ITS_FILES]);
  await self.skipWaiting();
}

async function begin() {
  const old = (await caches.keys()).filter((name) => name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function visit(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

async function kept(request) {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    const store = await caches.open(STORE);
    await store.put(request, answer.clone()).catch(() => {}); // the disk may be full
  }
  return answer;
}

self.addEventListener("push", (event) => event.waitUntil(tell(read(event.data))));

function read(data) {
  try {
    return data.json() ?? {};
  } catch {
    return {};
  }
}

// Browsers demand that every push shows something, even one that cannot be read.
async function tell({ notification, app_badge: waiting }) {
  const { title = "Tessera", body = "", navigate: url = "/", tag = "tessera" } = notification ?? {};
  showOnApp(waiting);
  await self.registration.showNotification(title, { body, icon: ICON, badge: ICON, tag, renotify: true, data: { url } });
}

// Not every browser has badges, and those that do may refuse them; neither is worth an error.
function showOnApp(waiting) {
  if (!Number.isInteger(waiting)) return;
  const done = waiting ? self.navigator.setAppBadge?.(waiting) : self.navigator.clearAppBadge?.();
  done?.catch(() => {});
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.url ?? "/", self.location.origin)));
});

async function open(wanted) {
  const url = wanted.origin === self.location.origin ? wanted : new URL("/", self.location.origin);
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((it) => new URL(it.url).pathname === url.pathname);
  return tab ? tab.focus() : self.clients.openWindow(url.href);
}

// The browser dropped the old subscription: the new one replaces it as long as somebody is logged in here.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event.newSubscription)));

async function subscribeAgain(offered) {
  const answer = await fetch(THIS_DEVICE);
  if (answer.redirected || !answer.ok) return;
  const { key, token } = await answer.json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (offered ?? (await self.registration.pushManager.subscribe(options))).toJSON();
  await fetch(THIS_DEVICE, {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ endpoint, ...keys }),
  });
}
