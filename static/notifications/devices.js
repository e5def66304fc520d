// Turns push messages to this device on and off. The browser asks for permission only after a click.
const card = document.getElementById("push");
const state = document.getElementById("push-state");
const on = document.getElementById("push-on");
const off = document.getElementById("push-off");

function say(what) {
  state.textContent = card.dataset[what];
}

// Why this device cannot take push messages; nothing when it can.
function obstacle() {
  if (!window.isSecureContext) return "insecure";
  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return "unsupported";
  return Notification.permission === "denied" ? "denied" : undefined;
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

// The former subscription may be for another key, or somebody else's who used this browser.
async function subscribe(manager) {
  await (await manager.getSubscription())?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: card.dataset.key });
}

async function register() {
  await navigator.serviceWorker.register(card.dataset.worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const { endpoint, keys } = (await subscribe(pushManager)).toJSON();
  const answer = await fetch(card.dataset.subscribe, {
    method: "POST",
    headers: { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value },
    body: new URLSearchParams({ endpoint, ...keys }),
  });
  if (answer.status !== 204) throw new Error(`the site answered ${answer.status}`);
}

const REFUSED = { denied: "denied", default: "unanswered" };

async function turnOn() {
  on.disabled = true;
  say("asking");
  try {
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return say(REFUSED[permission]);
    await register();
    location.reload();
  } catch (error) {
    console.warn(error);
    say("failed");
  } finally {
    on.disabled = false;
  }
}

async function turnOff(event) {
  event.preventDefault();
  await (await current().catch(() => undefined))?.unsubscribe().catch(() => false);
  off.submit();
}

async function start() {
  const why = obstacle();
  if (why) return say(why);
  const { renewing } = document.querySelector("link[rel=manifest]").dataset;
  const works = renewing && (await import(renewing).then(({ renew }) => renew()));
  if (works && !off) return location.reload();  // the site had lost it
  if (works) return;
  say(off ? "lost" : "off");
  on.hidden = false;
}

on.addEventListener("click", turnOn);
off?.addEventListener("submit", turnOff);
start();
