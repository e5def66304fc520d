// Keeps what the reader waits for current, in the bar of every page and on the page of quick pairing. There, while it is
// visible, it says for the reader that they are here, unless they choose themselves, and goes to the match when it begins.
const EVERY = 10000;

const region = document.getElementById("pairing");
const goes = "goes" in region.dataset;
let answered = ""; // the offer that the reader has answered or is about to, or the page for them
let counted = "";
let countdown = 0;
let shown = "";
let asking = false;
let again = false;

const ids = () => [...region.querySelectorAll("[data-wait]")].map((wait) => wait.dataset.wait);
const waited = new Set([...ids(), location.hash.replace("#wait-", "")]);

function follow() {
  if (document.hidden) return;
  const begun = [...region.querySelectorAll("a[data-begun]")].find(({ dataset }) => waited.has(dataset.begun));
  if (begun) location.replace(begun.href);
}

// nonce.js fills in the number that the player adds to the shuffle, when the form is sent. So it is there before anybody
// can press the button; without it the match is fair as well.
const prepare = () => import(region.dataset.nonce).catch(() => {});

const go = () => region.querySelector("button[data-go]");

function stop() {
  clearTimeout(countdown);
  counted = "";
  for (const words of region.querySelectorAll("[data-goes-after]")) words.hidden = true;
}

function press() {
  const button = go();
  if (!document.hidden && button?.dataset.slug === counted) button.form.requestSubmit(button);
}

// The reader has some seconds to choose before the page answers for them.
async function answer() {
  if (go()) await prepare();
  const slug = go()?.dataset.slug;
  if (!goes || document.hidden || !slug || slug === answered) return stop();
  const words = go().closest("[data-wait]").querySelector("[data-goes-after]");
  words.hidden = false;
  if (slug === counted) return;
  clearTimeout(countdown);
  counted = slug;
  countdown = setTimeout(press, words.dataset.goesAfter * 1000);
}

// Whoever reaches for one of the buttons is left to choose. The words that go then stand below the buttons: nothing may
// move while one of them is pressed.
function leave({ target }) {
  const offered = target.closest("[data-wait]")?.querySelector("button[data-go]");
  if (!offered) return;
  answered = offered.dataset.slug;
  stop();
}
region.addEventListener("focusin", leave);
region.addEventListener("submit", leave);

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
    const answer = await fetch(region.dataset.from, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(EVERY) });
    if (answer.ok && !answer.redirected) await showReady(await answer.text());
  } catch { /* offline, or no answer: the next look will tell */ }
  asking = false;
  if (again) await look();
  follow();
  answer();
}

document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
  if (detail.message.data.startsWith('{"pairing":')) look();
});
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); else look(); });
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) look(); });
setInterval(look, EVERY);
shown = plain(region.innerHTML);
follow();
answer();
look();
