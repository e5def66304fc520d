// Takes whoever takes part in a live event to their match when it begins, as soon as they look at the page. What had
// begun before the page was opened, they can press.
const links = () => [...document.querySelectorAll("a[data-begun]")];
const known = new Set(links().map(({ dataset }) => dataset.begun));

function follow() {
  if (document.hidden) return;
  const link = links().find(({ dataset }) => !known.has(dataset.begun));
  if (!link) return;
  known.add(link.dataset.begun);
  location.assign(link.href);
}

document.addEventListener("htmx:after:swap", follow);
document.addEventListener("visibilitychange", follow);
