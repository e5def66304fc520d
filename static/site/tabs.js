// Makes tabs of links: <nav data-tabs="ID"> whose links htmx loads into the element of this id. Without this script, or
// with a key held to open a new page, they stay links.
function choose(tabs, chosen, panel) {
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", chosen.id);
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

function move(event, tabs) {
  const step = STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const here = tabs.indexOf(document.activeElement);
  const to = Number.isFinite(step) ? (here + step + tabs.length) % tabs.length : step < 0 ? 0 : tabs.length - 1;
  tabs[to].focus();
}

for (const list of document.querySelectorAll("[data-tabs]")) {
  const panel = document.getElementById(list.dataset.tabs);
  const tabs = [...list.querySelectorAll("a")];
  const current = tabs.find((tab) => tab.hasAttribute("aria-current")) ?? tabs[0];
  list.setAttribute("role", "tablist");
  panel.setAttribute("role", "tabpanel");
  panel.tabIndex = 0;
  for (const tab of tabs) {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.removeAttribute("aria-current");
    tab.addEventListener("click", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) choose(tabs, tab, panel);
    });
  }
  choose(tabs, current, panel);
  list.scrollLeft = current.offsetLeft - list.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
  list.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      document.activeElement.click();
    } else {
      move(event, tabs);
    }
  });
}
