// The rules over the board: a link to their page shows them here, so that no half-made choice is lost. They are loaded when
// they are first wanted, and open where the link says, or at what happens now, unless one has been there already.

const dialog = document.getElementById("rules");
const text = document.getElementById("rules-text");
let read;

async function load(address, dressed) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const rules = page.getElementById("rules-of-the-game");
  await Promise.all([...page.querySelectorAll("link[rel=stylesheet]")].map((link) => dressed(link.getAttribute("href"))));
  text.replaceChildren(document.adoptNode(rules));
}

function goTo(anchor) {
  const part = document.getElementById(anchor);
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

async function open(address, anchor, dressed) {
  dialog.showModal();
  text.focus({ preventScroll: true });
  if (!text.childElementCount) {
    text.textContent = "…";
    await load(address, dressed).catch(() => { text.textContent = text.dataset.failed; });
  }
  if (anchor !== read && text.childElementCount) goTo(read = anchor);
}

// A link within the rules leads to its section, any other opens them.
export async function follow(link, dressed) {
  if (text.contains(link)) return goTo(link.hash.slice(1));
  if (dialog.open) return;
  const now = document.getElementById("match")?.dataset.rules;
  await open(link.pathname, `about-${link.dataset.opensRules || now || "contents"}`, dressed);
}

// A tap beside the rules closes them.
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
