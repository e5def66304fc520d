// Compares the push subscription of this browser with what the site has of it, and renews it without a word: browsers drop
// them, push services forget them, and the key of the site can change.
const { push, pushKey, pushAt, worker } = document.querySelector("link[rel=manifest]").dataset;
const FAILED = "tessera-push-failed";
const AGAIN = 3600000;

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const digest = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
const written = (key) => btoa(String.fromCharCode(...new Uint8Array(key))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

// Returns whether a subscription is for the key of the site; a browser that does not say is believed.
function fits(subscription) {
  const key = subscription.options?.applicationServerKey;
  return !key || written(key) === pushKey;
}

async function register(subscription) {
  const asked = await fetch(pushAt);
  if (asked.redirected || !asked.ok) return false;
  const { token } = await asked.json();
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, ...keys });
  return (await fetch(pushAt, { method: "POST", headers: { "X-CSRFToken": token }, body })).status === 204;
}

async function renewed() {
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let mine = await pushManager.getSubscription();
  if (mine && fits(mine) && (await digest(mine.toJSON().endpoint)).startsWith(push || "lost")) return true;
  if (!mine || !fits(mine) || !push) {
    await mine?.unsubscribe();
    mine = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  }
  return register(mine);
}

let looked;

/** Renew the subscription if that is needed; returns whether there is one that works. Nobody is asked for anything. */
export const renew = () => { looked ??= look(); return looked; };

async function look() {
  const able = window.isSecureContext && navigator.serviceWorker && window.PushManager && window.Notification;
  if (push === undefined || !able || Notification.permission !== "granted") return false;
  if (Date.now() - Number(sessionStorage.getItem(FAILED)) < AGAIN) return false;
  const works = await renewed().catch(() => false);
  if (works) sessionStorage.removeItem(FAILED);
  else sessionStorage.setItem(FAILED, Date.now());
  return works;
}
