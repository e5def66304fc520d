// What lies around the board (title, fair shuffle, clock, mute) is not pushed: it changes only when the match begins or
// ends. Then it is fetched once, as the page itself would show it now.

const board = () => document.getElementById("match");
const around = () => document.getElementById("around");
const WAITING = /^(\(\d+\) )?/;

let asked = "";

function show(page) {
  const fresh = page.getElementById("around");
  for (const { id } of around().querySelectorAll("details[open]")) page.getElementById(id)?.setAttribute("open", "");
  around().replaceWith(document.adoptNode(fresh));
  document.getElementById("page-heading").textContent = page.getElementById("page-heading").textContent;
  document.title = document.title.match(WAITING)[0] + page.title.replace(WAITING, "");
}

async function fetchAround() {
  const status = board()?.dataset.status;
  if (!status || status === around().dataset.status || status === asked) return;
  asked = status;
  try {
    const answer = await fetch(around().dataset.url);
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } finally {
    asked = "";
  }
}

// What fails now is tried again with the next board.
document.addEventListener("htmx:after:swap", () => { fetchAround().catch(() => {}); });
