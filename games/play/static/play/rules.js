// The rules over the board: a link to their page which, with a script, shows them here, so that no half-made choice is
// lost. They are loaded when they are first wanted.

const dialog = document.getElementById("rules");
const text = document.getElementById("rules-text");

async function load(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  text.replaceChildren(document.adoptNode(page.getElementById("rules-of-the-game")));
}

async function open(address) {
  dialog.showModal();
  text.focus({ preventScroll: true });
  if (text.childElementCount) return;
  text.textContent = "…";
  await load(address).catch(() => { text.textContent = text.dataset.failed; });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-opens-rules]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link.href);
});

// A tap beside the rules closes them.
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
