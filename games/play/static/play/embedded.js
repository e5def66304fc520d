// A running match on somebody else's page: asks now and then what it looks like, and not while nobody sees it. What a
// reader has unfolded stays so. Once the match is over nothing says how often to ask.
const shown = () => document.getElementById("embedded");
let inSight = true;

new IntersectionObserver(([{ isIntersecting }]) => { inSight = isIntersecting; }).observe(document.documentElement);

function show(fresh) {
  if (fresh.dataset.version === shown().dataset.version) return;
  for (const { id } of shown().querySelectorAll("details[open][id]")) {
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  }
  shown().replaceWith(document.adoptNode(fresh));
}

async function ask() {
  if (inSight && !document.hidden) {
    try {
      const answer = await fetch(location.href, { cache: "no-cache" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok) show(page.getElementById("embedded"));
    } catch { /* the next time may do */ }
  }
  wait();
}

function wait() {
  const { every } = shown().dataset;
  if (every) setTimeout(ask, every * 1000);
}

wait();
