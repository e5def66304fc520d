// What lies around the board (title, fair shuffle, clock, mute) and the end of the match, as the page itself would show them
// now. They change only when the match begins or ends.

const around = () => document.getElementById("around");
const status = () => document.getElementById("match")?.dataset.status;
const WAITING = /^(\(\d+\) )?/;

let asked = "";

// The end is a moment: it comes into sight as soon as the board lets it.
async function showEnding(fresh, dressed) {
  const { styles } = document.getElementById("ending").dataset;
  if (styles && !fresh.hidden) await dressed(styles);
  document.getElementById("ending").replaceWith(document.adoptNode(fresh));
  const arrival = new ResizeObserver(() => {
    if (!fresh.checkVisibility()) return;
    arrival.disconnect();
    fresh.classList.add("arriving");
    fresh.scrollIntoView({ block: "nearest" });
  });
  if (!fresh.hidden) arrival.observe(fresh);
}

function show(page, dressed) {
  const fresh = page.getElementById("around");
  for (const { id } of around().querySelectorAll("details[open]")) page.getElementById(id)?.setAttribute("open", "");
  const isOpen = around().matches(":popover-open");
  around().replaceWith(document.adoptNode(fresh));
  if (isOpen) fresh.showPopover();
  showEnding(page.getElementById("ending"), dressed);
  document.getElementById("page-heading").textContent = page.getElementById("page-heading").textContent;
  document.title = document.title.match(WAITING)[0] + page.title.replace(WAITING, "");
}

// Fetches them unless they are right, or on their way. Fails when the page cannot be had.
export async function renew(dressed) {
  const wanted = status();
  if (!wanted || wanted === around().dataset.status || wanted === asked) return;
  asked = wanted;
  try {
    const answer = await fetch(around().dataset.url);
    if (!answer.ok) throw new Error(answer.statusText);
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), dressed);
  } finally {
    asked = "";
  }
}
