// Who of the others is here, and how reliable they are, is shown beside their names. It is asked for now and then, as the
// match does not change with it, and written again beside what a push has brought.

const EVERY = 20000;
const { company } = document.getElementById("page").dataset;
let known = {};

function introduce() {
  for (const [seat, { here, turns, said }] of Object.entries(known)) {
    const player = document.getElementById(`player-${seat}`);
    if (!player) continue;
    player.toggleAttribute("data-here", here);
    const note = player.querySelector(".known") ?? Object.assign(document.createElement("span"), { className: "known" });
    if (!note.isConnected) player.querySelector(".player-name").after(note);
    if (note.title === said) continue;
    note.title = said;
    note.innerHTML = '<span aria-hidden="true"></span><span class="visually-hidden"></span>';
    note.firstChild.textContent = turns;
    note.lastChild.textContent = said;
  }
}

async function ask() {
  if (document.visibilityState !== "visible" || document.getElementById("match")?.dataset.status !== "running") return;
  const answer = await fetch(company).catch(() => null);
  if (!answer?.ok) return;
  known = await answer.json();
  introduce();
}

document.addEventListener("visibilitychange", ask);
document.addEventListener("htmx:after:swap", introduce);
setInterval(ask, EVERY);
ask();
