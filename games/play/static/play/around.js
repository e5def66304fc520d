// What lies around the board (header, title, fair shuffle, clock, mute) and the end of the match, as the page itself would
// show them now. They change only when the match begins or ends.

const around = () => document.getElementById("around");
const status = () => document.getElementById("match")?.dataset.status;
const WAITING = /^(\(\d+\) )?/;

let asked = "";

// The end is a moment: it comes into sight, from the top of the page on, as soon as the board lets it. For another moment
// its buttons are deaf, for a second tap meant for the board may land there.
const DEAF = 500;

async function showEnding(fresh, dressed) {
  const { styles } = document.getElementById("ending").dataset;
  if (styles && !fresh.hidden) await dressed(styles);
  fresh.classList.toggle("arriving", !fresh.hidden);
  document.getElementById("ending").replaceWith(document.adoptNode(fresh));
  const arrival = new ResizeObserver(() => {
    if (!fresh.checkVisibility()) return;
    arrival.disconnect();
    scrollTo(0, 0);
    setTimeout(() => { fresh.inert = false; }, DEAF);
  });
  fresh.inert = !fresh.hidden;
  if (fresh.inert) arrival.observe(fresh);
}

// Styles and scripts that the page of the match needs and that of its table did not; none of those within noscript.
function fetchNeeded(page, dressed) {
  for (const link of page.querySelectorAll("head > link[rel=stylesheet]")) dressed(link.getAttribute("href"));
  const known = new Set([...document.scripts].map(({ src }) => src));
  for (const { type, src } of page.querySelectorAll("head script[src]")) {
    if (!known.has(src)) document.head.append(Object.assign(document.createElement("script"), { type, src }));
  }
}

// An empty template keeps the place of what only a match has, for those who waited at its table.
function fillPlaces(page) {
  for (const place of document.querySelectorAll("template[id]")) {
    const fresh = page.getElementById(place.id);
    if (!fresh || fresh.localName === "template") continue;
    place.replaceWith(document.adoptNode(fresh));
    htmx.process(fresh);
  }
}

function show(page, dressed) {
  fillPlaces(page);
  document.getElementById("about").replaceWith(document.adoptNode(page.getElementById("about")));
  if (!page.getElementById("open-chat")) document.getElementById("open-chat")?.remove();  // against bots alone
  const fresh = page.getElementById("around");
  for (const { id } of around().querySelectorAll("details[open]")) page.getElementById(id)?.setAttribute("open", "");
  const isOpen = around().matches(":popover-open");
  around().replaceWith(document.adoptNode(fresh));
  if (isOpen) fresh.showPopover();
  showEnding(page.getElementById("ending"), dressed);
  fetchNeeded(page, dressed);  // after the styles of the end, which it waits for
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
