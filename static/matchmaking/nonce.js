// The player's share of the shuffle: sixteen random bytes, made here after the site has shown the fingerprint of its
// secret, kept together with that fingerprint, and sent when sitting down or beginning.
import { copyFor } from "../site/copying.js";
import { forgetNonce, keepCommit, keepNonce, kept } from "./kept.js";

const BYTES = 16;
const REMATCH = "tessera-rematch"; // the match whose rematch was asked for in this tab; match.js notes it
const BEGUN = "tessera-begun"; // the table for one that this tab has tried to begin: not again if it was refused

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The number for the match with this fingerprint; the same one when it is asked for again.
function numberFor({ slug, commit }) {
  keepCommit(slug, commit);
  const nonce = kept(slug).nonce ?? random();
  keepNonce(slug, nonce);
  return nonce;
}

function fill(form, shown) {
  form.elements.namedItem("nonce").value = numberFor(shown);
}

document.addEventListener("submit", ({ target, submitter }) => {
  if (submitter?.dataset.commit) fill(target, submitter.dataset);
}, { capture: true });

// A whole page follows, as it does without a script.
function press(button) {
  fill(button.form, button.dataset);
  button.form.action = button.formAction;
  button.form.submit();
}

function once(name, value) {
  if (sessionStorage.getItem(name) === value) return false;
  sessionStorage.setItem(name, value);
  return true;
}

// A table for one begins as soon as its fingerprint has been shown; until it is known whether it does, tables.css offers
// nothing to press. The player sits down at a rematch they asked for.
function goOn() {
  const begin = document.querySelector("button[data-at-once]");
  const former = document.querySelector("#nonce[data-follows]")?.dataset.follows;
  const asked = sessionStorage.getItem(REMATCH) ?? "";
  sessionStorage.removeItem(REMATCH);
  if (begin && once(BEGUN, begin.dataset.slug)) return press(begin);
  document.documentElement.dataset.waits = "";
  if (former && asked.includes(`/${former}/`)) document.querySelectorAll("#sit-down").forEach(press);
}

// The host sat down by opening the table, before there was a fingerprint to see: the number is sent now.
async function send() {
  const field = document.querySelector("#nonce[data-send]");
  if (!field) return;
  const body = new FormData(field.form);
  body.set("nonce", numberFor(field.dataset));
  const answer = await fetch(field.dataset.send, { method: "POST", body });
  if (answer.status === 409) forgetNonce(field.dataset.slug);
}

function show() {
  for (const box of document.querySelectorAll(".kept[hidden]")) {
    const { slug, commit } = box.dataset;
    if ("keep" in box.dataset) keepCommit(slug, commit);
    const nonce = kept(slug)?.nonce;
    box.hidden = !nonce;
    box.querySelector("[data-kept]").textContent = nonce ?? "";
  }
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("button[data-copy-kept]");
  if (!button) return;
  const { commit, nonce } = kept(button.closest(".kept").dataset.slug);
  await copyFor(button, `${commit}\n${nonce}`);
});

// What is around the board arrives after the board.
new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
show();
try { goOn(); } catch { document.documentElement.dataset.waits = ""; } // a browser that stores nothing begins by a press
send().then(show, () => {}); // offline: no number is sent, and the match is fair without it
