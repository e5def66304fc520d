// Keeps what the reader waits for current, in the bar of every page and on the page of quick pairing. There, while it is
// visible, it says for the reader that they are here, and goes to the match when it begins.
const EVERY = 10000;

const region = document.getElementById("pairing");
const goes = "goes" in region.dataset;
let answered = "";
let shown = "";
let asking = false;
let again = false;

const ids = () => [...region.querySelectorAll("[data-wait]")].map((wait) => wait.dataset.wait);
const waited = new Set(ids());

function follow() {
  if (document.hidden) return;
  const begun = [...region.querySelectorAll("a[data-begun]")].find(({ dataset }) => waited.has(dataset.begun));
  if (begun) location.assign(begun.href);
}

// nonce.js fills in the number that the player adds to the shuffle, when the form is sent. So it is there before anybody
// can press the button.
const prepare = () => import(region.dataset.nonce);

async function answer() {
  const button = region.querySelector("button[data-go]");
  if (!button) return;
  await prepare();
  if (!goes || document.hidden || !button.isConnected || answered === button.dataset.slug) return;
  answered = button.dataset.slug;
  button.form.requestSubmit(button);
}

// The tokens of the forms differ in every answer, and what is shown does not.
const plain = (html) => html.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");

function show(html) {
  if (plain(html) === shown) return;
  shown = plain(html);
  const focused = document.activeElement?.closest?.("#pairing form")?.getAttribute("action");
  region.innerHTML = html;
  if (focused) region.querySelector(`form[action="${focused}"] button`)?.focus();
  for (const id of ids()) waited.add(id);
}

async function showReady(html) {
  if (html.includes("data-go")) await prepare();
  show(html);
}

async function look() {
  again = asking;
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(region.dataset.from, { headers: { "HX-Request": "true" } });
    if (answer.ok && !answer.redirected) await showReady(await answer.text());
  } catch { /* offline: the next look will tell */ }
  asking = false;
  if (again) await look();
  follow();
  answer();
}

document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
  if (detail.message.data.startsWith('{"pairing":')) look();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) look(); });
setInterval(look, EVERY);
shown = plain(region.innerHTML);
follow();
answer();
look();
