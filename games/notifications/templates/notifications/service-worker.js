// Shows what is pushed, and leads to the match it is about. It keeps nothing: pages always come from the site.
const ICON = "{% static 'site/icon-192.png' %}";
const THIS_DEVICE = "{% url 'device_this' %}";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => event.waitUntil(tell(read(event.data))));

function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

// Browsers demand that every push shows something, even one that cannot be read.
async function tell({ title = "Tessera", text = "", url = "/", tag = "tessera", waiting = null }) {
  showOnApp(waiting);
  await self.registration.showNotification(title, { body: text, icon: ICON, badge: ICON, tag, renotify: true, data: { url } });
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
