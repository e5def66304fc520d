// Keeps the number of matches that wait for the reader up to date wherever it shows: the title of the tab, its icon, the
// button in the header and the icon of the installed app. The number comes by socket as {"waiting": n}.
const button = document.getElementById("waiting");
const icon = document.querySelector("link[rel=icon]");

function show(waiting) {
  document.title = document.title.replace(/^(\(\d+\) )?/, waiting ? `(${waiting}) ` : "");
  icon.href = waiting ? icon.dataset.waiting : icon.dataset.quiet;
  if (button) {
    button.hidden = !waiting;
    button.querySelector(".waiting-count").textContent = waiting;
  }
  showOnApp(waiting);
}

// Not every browser has badges, and those that do may refuse them; neither is worth a word.
function showOnApp(waiting) {
  const done = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  done?.catch(() => {});
}

function read(data) {
  try {
    return JSON.parse(data)?.waiting;
  } catch {
    return undefined;
  }
}

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const { data } = event.detail.message;
  if (typeof data !== "string" || !data.startsWith("{")) return;
  const waiting = read(data);
  if (Number.isInteger(waiting)) show(waiting);
});

const now = Number(button?.querySelector(".waiting-count").textContent ?? 0);
if (now) show(now);
