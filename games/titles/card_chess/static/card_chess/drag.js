// Dragging a card to a place, or from one place to another. It only chooses and presses what is there without it.

const START = 6;
const board = () => document.getElementById("chess-board");

let drag = null;
let swallow = false;

const columnAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("#chess-board .column");

function point(column) {
  if (drag.column === column) return;
  drag.column?.classList.remove("over");
  column?.classList.add("over");
  drag.column = column;
}

function lift() {
  const { left, top, width } = drag.piece.getBoundingClientRect();
  const ghost = drag.piece.querySelector(".face").cloneNode(true);
  ghost.setAttribute("class", "face dragged");
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
  document.body.append(ghost);
  if (drag.card.type !== "radio") drag.card.click(); // taken from its place, and chosen
  else if (!drag.card.checked) drag.card.click();
  drag.ghost = ghost;
}

function end() {
  drag?.column?.classList.remove("over");
  drag?.ghost?.remove();
  drag = null;
}

document.addEventListener("pointerdown", (event) => {
  swallow = false;
  if (event.button || board()?.dataset.mode !== "play") return;
  const held = event.target.closest("#hand .held");
  const place = event.target.closest("[data-holds]:not([data-holds='']) button.place");
  const piece = held ?? (board().querySelector("#hand :checked") ? null : place);
  if (piece) drag = { piece, card: held?.querySelector("input") ?? place, x: event.clientX, y: event.clientY };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost) {
    if (Math.hypot(dx, dy) < START) return;
    lift();
  }
  drag.ghost.style.translate = `${dx}px ${dy}px`;
  point(columnAt(event));
});

document.addEventListener("pointerup", () => {
  if (!drag) return;
  const { ghost, column } = drag;
  swallow = Boolean(ghost);
  end();
  if (!ghost) return;
  if (column) column.querySelector("button.place")?.click();
  else document.querySelector("#hand :checked")?.closest("#hand").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
});

document.addEventListener("pointercancel", end);
document.addEventListener("dragstart", (event) => drag && event.preventDefault());

// The click that ends a drag chooses nothing.
document.addEventListener("click", (event) => {
  if (!swallow || !event.isTrusted) return;
  swallow = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
