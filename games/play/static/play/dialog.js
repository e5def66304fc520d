// What a link on the page of a match leads to, opened in a window over the board: leaving the match, reporting, muting. The
// window shows the part of that page which is marked for it; its forms are posted from here, and what they bring is shown
// in the same place. Anything else they lead to is the match itself, which the page shows already.

const PART = "[data-in-dialog]";
const TIME = 15000;

const window_ = Object.assign(document.createElement("dialog"), { className: "over-board", id: "over-board" });
window_.setAttribute("aria-labelledby", "over-board-title");
let from;
let address; // of the page of which a part is shown: its forms may leave theirs out

const part = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(PART);

function show(content) {
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button small quiet over-board-close", textContent: "×" });
  close.setAttribute("aria-label", document.getElementById("toasts")?.dataset.close ?? "×");
  close.addEventListener("click", () => window_.close());
  const shown = document.adoptNode(content);
  const title = shown.querySelector("h1");
  if (title) title.id = "over-board-title";
  window_.replaceChildren(close, shown);
  if (!window_.open) window_.showModal();
  (shown.querySelector("[autofocus], [aria-invalid=true], .notice.bad, .errorlist") ?? title)?.focus?.();
}

// An answer that is no part of such a page is the match: the window closes, and the socket brings what has changed.
async function post(form, submitter) {
  const body = new FormData(form, submitter);
  const held = [...window_.querySelectorAll("button")];
  held.forEach((button) => { button.disabled = true; });
  try {
    const answer = await fetch(new URL(form.getAttribute("action") ?? "", address), { method: "POST", body, signal: AbortSignal.timeout(TIME) });
    const fresh = await part(answer);
    if (fresh) { address = answer.url; show(fresh); return; }
    if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
    window_.close();
    document.dispatchEvent(new CustomEvent("dialog-answered"));
  } catch (error) {
    held.forEach((button) => { button.disabled = false; });
    document.dispatchEvent(new CustomEvent("undelivered", { detail: error.status ?? 0 }));
  }
}

window_.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "dialog") return;
  event.preventDefault();
  post(form, event.submitter);
});
// What leads back to the match closes the window.
window_.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const leadsHere = link && new URL(link.href).pathname === location.pathname;
  if (event.target !== window_ && !leadsHere) return;
  event.preventDefault();
  window_.close();
});
window_.addEventListener("close", () => from?.isConnected && from.focus({ preventScroll: true }));

export async function follow(link) {
  from = link;
  const answer = await fetch(link.href);
  const fresh = answer.ok && (await part(answer));
  if (!fresh) throw new Error("there is nothing to show over the board");
  address = answer.url;
  if (!window_.isConnected) document.getElementById("page").append(window_);
  show(fresh);
}
