// The chart follows the board, and leads it: a click goes to the position below the pointer.
const chart = () => document.getElementById("chart");
const replay = () => document.getElementById("replay");
const caption = () => document.getElementById("replay-caption");

const ends = () => {
  const { left, right, last } = chart().dataset;
  return { left: Number(left), wide: right - left, last: Number(last) || 1 };
};

function follow() {
  if (!chart()) return;
  const { left, wide, last } = ends();
  const cursor = document.getElementById("chart-cursor");
  const at = Math.min(last, Number(replay().dataset.number));
  cursor.setAttribute("transform", `translate(${left + (at / last) * wide} 0)`);
  cursor.removeAttribute("hidden");
}

// What is told of a chosen moment comes into sight once it is there, and the board with it; nothing moves where it is seen.
let wanted = false;

function bring() {
  if (!wanted) return;
  wanted = false;
  const board = document.getElementById("replay-board");
  const { top } = board.getBoundingClientRect();
  const hidden = top < 0 || top > innerHeight / 3;
  if (hidden) board.scrollIntoView({ block: "start", behavior: "instant" });
  caption().scrollIntoView({ block: "nearest", behavior: "instant" });
}

document.addEventListener("click", ({ target, clientX }) => {
  if (target.closest?.("#moments [hx-target], #chart a, #replay-caption [hx-target]")) return wanted = true;
  if (!target.closest?.("#chart")) return undefined;
  const { left, wide, last } = ends();
  const point = new DOMPoint(clientX, 0).matrixTransform(chart().getScreenCTM().inverse());
  const jump = document.getElementById("jump");
  jump.value = Math.max(0, Math.min(last, Math.round(((point.x - left) / wide) * last)));
  return jump.form.requestSubmit();
});

document.addEventListener("htmx:after:swap", () => { follow(); bring(); });
follow();
