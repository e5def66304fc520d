// Dragging: a stone onto its neighbour shifts them, a card onto a stone flips it. It is only a faster way to fill in the form.
// It uses only the board's inputs and imports nothing, because the names of files change with their content.

const START = 8; // pixels before a press becomes a drag

let drag = null;
let swallow = false;

const near = (one, other) =>
  Math.abs(one.charCodeAt(0) - other.charCodeAt(0)) + Math.abs(one.charCodeAt(1) - other.charCodeAt(1)) === 1;
const stones = () => [...document.querySelectorAll("#stones .stone")];

function under({ clientX, clientY }) {
  return stones().find((stone) => {
    const { left, right, top, bottom } = stone.getBoundingClientRect();
    return stone !== drag.piece && clientX > left && clientX < right && clientY > top && clientY < bottom;
  });
}

function fits(stone) {
  return stone && (drag.cell ? near(drag.cell, stone.dataset.cell) : true);
}

function point(stone) {
  if (stone === drag.target) return;
  drag.target?.classList.remove("target");
  drag.target = stone;
  stone?.classList.add("target");
}

function end() {
  drag?.target?.classList.remove("target");
  drag?.piece.classList.remove("dragged");
  if (drag) drag.piece.style.translate = "";
  drag = null;
}

function choose(...names) {
  for (const input of document.querySelectorAll("#stones input")) input.checked = names.includes(input.value);
  document.getElementById(`cell-${names[0]}`).dispatchEvent(new Event("change", { bubbles: true }));
}

function drop({ cell, card, target }) {
  if (card) document.getElementById(`card-${card}`).checked = true;
  choose(...[target.dataset.cell, cell].filter(Boolean));
  if (card) document.getElementById("verb-flip").click();
  else if (document.querySelector("#hand :checked")) document.getElementById("verb-shift").click();
}

document.addEventListener("pointerdown", (event) => {
  swallow = false;
  const piece = event.target.closest?.('#stones-board[data-mode="play"] :is(.stone, .pattern)');
  if (!piece || !event.isPrimary || event.button) return;
  drag = { piece, x: event.clientX, y: event.clientY, cell: piece.dataset.cell, card: piece.querySelector("#hand input")?.value };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moving && Math.hypot(dx, dy) < START) return;
  drag.moving = true;
  drag.piece.classList.add("dragged");
  drag.piece.style.translate = `${dx}px ${dy}px`;
  const stone = under(event);
  point(fits(stone) ? stone : undefined);
});

document.addEventListener("pointerup", () => {
  if (!drag) return;
  const done = drag;
  swallow = Boolean(done.moving);
  end();
  if (done.target) drop(done);
});

document.addEventListener("pointercancel", end);
document.addEventListener("keydown", ({ key }) => key === "Escape" && end());
document.addEventListener("dragstart", (event) => drag && event.preventDefault());

// The click at the end of a drag chooses nothing.
document.addEventListener("click", (event) => {
  if (!swallow || !event.isTrusted) return;
  swallow = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
