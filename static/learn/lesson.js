// A lesson with a script: each step takes the place of the one before, is said to those who do not see it, and the
// focus waits where one goes on. Without this script every step is a page.

const lesson = () => document.getElementById("lesson");
const words = (...ids) => ids.map((id) => document.getElementById(id)?.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");

let step = lesson().dataset.step;

function say() {
  const fresh = step !== lesson().dataset.step;
  step = lesson().dataset.step;
  const text = lesson().dataset.done === undefined || fresh ? words("count", "status", "praise") : words("praise");
  if (!document.getElementById("refusal") || fresh) document.getElementById("live").textContent = text;
}

// Keys go on at the way to the next step; where something is to be done, at the words.
function focus() {
  const refusal = document.getElementById("refusal");
  if (refusal) return refusal.scrollIntoView({ block: "nearest" });
  const onwards = lesson().dataset.done === undefined ? null : document.querySelector("#next, #end .button.primary");
  const lost = document.activeElement === document.body || document.activeElement.matches(":disabled");
  if (onwards) onwards.focus();
  else if (lost || !document.getElementById("lesson-board").contains(document.activeElement)) document.getElementById("status").focus();
}

// The rest of a text can be asked for only where there is one.
function unfold() {
  const label = document.querySelector(".lesson-unfold");
  const before = document.querySelector("[data-folds]");
  if (label && !label.querySelector(":checked")) label.hidden = before.scrollHeight <= before.clientHeight + 2;
}

document.addEventListener("htmx:after:swap", () => { say(); focus(); unfold(); });
unfold();

// What moves can wait until the page is at rest.
const page = document.getElementById("page");
addEventListener("load", () => { if (page.dataset.motion) import(page.dataset.moving).catch(() => {}); });
