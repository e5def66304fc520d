// Choosing: the tile as a ghost on the map, turning, Houses, arrow keys, shortcuts, what is missing.
// The board is a form and works without this; everything is read from and written to its inputs.

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 100;
const words = document.getElementById("board-words")?.dataset ?? {};
const board = () => document.getElementById("islands-board");
const playing = () => board()?.dataset.mode === "play";
const all = (selector) => [...(board()?.querySelectorAll(selector) ?? [])];
const one = (selector) => board()?.querySelector(selector);
const byId = (id) => document.getElementById(id);

// --- tiles, turns and cells -----------------------------------------------------------------------------------------

const slot = () => one("[name=slot]:checked");
const token = () => one("[name=token-use]:checked");
const cell = () => one("[name=cell]:checked");
const cells = () => all("[name=cell]");
const turn = () => Number(one("[name=turn]:checked")?.value ?? 0);

// The input of the tile that will be placed: that of the face-up tile when it is placed at once.
function tile() {
  const chosen = one("[name=tile]:checked");
  return chosen?.value === "taken" ? slot() : chosen;
}

const isShip = (input) => input?.classList.contains("m0");
const needsSlot = () => /^(taken|\d+)$/.test(one("[name=tile]:checked")?.value ?? "");
const printed = (input) => Number(input.className.match(/\bm(\d+)/)[1]);
const turned = (corners, quarters) => ((corners << quarters) | (corners >> (4 - quarters))) & 15;
const fits = (place, input, quarters) => place.classList.contains(`f${turned(printed(input), quarters)}`);
const turnsFor = (place, input = tile()) => (input ? [0, 1, 2, 3].filter((quarters) => fits(place, input, quarters)) : []);
const legalCells = (input = tile()) => cells().filter((place) => turnsFor(place, input).length);

// Turning matters unless the tile is the same in every turn, or fits the chosen cell in one turn alone.
const isTurnable = () => Boolean(tile()) && ![0, 15].includes(printed(tile())) && !(cell() && turnsFor(cell()).length < 2);

const setTurn = (quarters) => { byId(`turn-${quarters}`).checked = true; };

// The next turn in which the tile fits the chosen cell, or any cell while none is chosen.
function turnOn(step = 1) {
  if (!tile()) return refuse(words.first);
  if (isShip(tile())) return;
  refused = "";
  const legal = cell() ? turnsFor(cell()) : [0, 1, 2, 3];
  const next = [1, 2, 3, 4].map((far) => (turn() + step * far + 8) % 4).find((quarters) => legal.includes(quarters));
  if (next !== undefined) setTurn(next);
  show();
}

// A tile that does not fit the chosen cell as it is turned is turned; one that never fits lets go of the cell.
function settleIn() {
  if (!cell() || !tile()) return;
  const legal = turnsFor(cell());
  if (!legal.length) cell().checked = false;
  else if (!legal.includes(turn())) setTurn(legal[0]);
}

// A step of a lesson names a cell that glows: "cell -1,0".
const glowing = () => byId("lesson")?.dataset.pointed?.replace("cell ", "");

function mark() {
  const [input, quarters] = [tile(), turn()];
  for (const place of cells()) {
    place.classList.toggle("glowing", place.value === glowing() && !cell());
    const legal = turnsFor(place, input);
    place.classList.toggle("fits", legal.includes(quarters));
    place.classList.toggle("elsewise", legal.length > 0 && !legal.includes(quarters));
  }
}

// The tile that will be placed lies as it will, among those of the hand too if it is the one that is taken.
function turnTiles() {
  for (const input of all("#row input, #hand input")) {
    const placed = Boolean(tile()) && (input === tile() || (input.value === "taken" && input.checked));
    input.closest("label").dataset.turn = placed ? turn() : 0;
  }
  const taken = slot()?.closest("label").querySelector("use").getAttribute("href");
  for (const picture of all(".taken .tile")) picture.classList.toggle("chosen", picture.firstElementChild.getAttribute("href") === taken);
  byId("turn-tile")?.classList.toggle("idle", Boolean(tile()) && !isTurnable());
  byId("turn-tile")?.setAttribute("aria-disabled", String(!tile()));
}

// --- what is shown --------------------------------------------------------------------------------------------------

function drawing(href, [x, y], quarters = 0) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", href);
  use.setAttribute("transform", `translate(${x} ${y})${quarters ? ` rotate(${quarters * 90} 50 50)` : ""}`);
  if (quarters) use.setAttribute("class", `r${quarters}`);
  return use;
}

function ghost() {
  const drawn = [];
  if (cell() && tile()) {
    const href = tile().closest("label").querySelector("use").getAttribute("href");
    drawn.push(drawing(href, cell().value.split(",").map((number) => number * SIDE), isShip(tile()) ? 0 : turn()));
  }
  const [where, use] = [byId("token-where")?.selectedOptions[0], token()?.value];
  if (use && where?.dataset.spot) {
    const [name, shows] = use.split("=");
    const spot = where.dataset.spot.split(" ");
    drawn.push(drawing("#token", spot), drawing(`#sign-${shows ?? name}`, spot));
  }
  byId("ghost").replaceChildren(...drawn);
}

// What is said of cards that lack, by how many are chosen of each deck: before the first one, what the choice means.
function lacking(chosen) {
  const isLast = "last" in byId("hint").dataset;
  if (chosen.every((count) => count === (isLast ? 1 : 2))) return "";
  if (isLast) return "last";
  return chosen.some(Boolean) ? "cards" : "meaning";
}

function missing() {
  const phase = board().dataset.phase;
  if (phase === "choose") return lacking(all(".deck").map((deck) => deck.querySelectorAll(":checked").length));
  if (phase === "reward") return byId("house-places") && !one(".site:checked") && !byId("no-house").checked ? "places" : "";
  const unlaid = token() && !byId("token-where").value;
  if (unlaid && byId("token-where").querySelector("[data-spot]")) return token().value.endsWith("port") ? "coast" : "resource";
  if (needsSlot() && !slot()) return one("[name=tile]:checked").value === "taken" ? (byId("ships") ? "berth" : "start") : "slot";
  if (!tile()) return "face";
  if (!cell()) return one(".elsewise") ? "dotted" : legalCells().length ? "cell" : "nowhere";
  return unlaid ? "placeless" : "";
}

function advice() {
  if (board().dataset.phase === "choose") return words.kept;
  if (board().dataset.phase === "reward") return houses();
  if (isShip(tile())) return byId("hint").dataset.lastLanding ?? words.landing;
  return isTurnable() ? words.turnable : words.ready;
}

function houses() {
  const count = all(".site:checked").length;
  if (asked) return words.ask;
  return count ? words.houses.replace("{0}", count) : byId("house-places") ? words.none : byId("hint").dataset.noplace;
}

// Whoever only waits has the hint as it came, as on a new page.
let said = null;
let usual = null;

function say(text) {
  const hint = byId("hint");
  if (hint.textContent !== said) usual = hint.textContent;
  said = text;
  if (hint.textContent !== text) hint.textContent = text;
}

// Why nothing came of a press stands out until something else is done.
let refused = "";

function refuse(text) {
  refused = text;
  show();
}

function unsay() {
  if (said && byId("hint")?.textContent === said) byId("hint").textContent = usual;
}

// A token goes with a tile of land: for a ship there is none to choose, and one that was chosen is not laid, which is said.
let spared = false;

function spareToken() {
  if (!byId("bonus")) return;
  byId("bonus").hidden = isShip(tile()) === true;
  if (!byId("bonus").hidden || !token()) return;
  spared = true;
  letGoOfToken();
}

// An open list of tokens may lie over the tiles.
const lists = () => byId("bonus")?.open && !token() && !tile();
let laid = false;

// On a phone it makes way for the tiles once a token is laid.
function layToken(where) {
  byId("token-where").value = where;
  laid = true;
  if (matchMedia("(width < 40em)").matches) byId("bonus").open = false;
}

function letGoOfToken() {
  if (token()) token().checked = false;
  byId("token-where").value = "";
}

function show() {
  if (!playing()) return;
  settleIn();
  spareToken();
  mark();
  turnTiles();
  showHouses();
  tellPlacing();
  ghost();
  rove();
  byId("verbs")?.classList.toggle("landing", isShip(tile()) === true);
  if (byId("house-places")) byId("verb-send").textContent = all(".site:checked").length === 1 ? words.single : words.several;
  weigh();
  const lacks = missing();
  lacks ? byId("verb-send")?.setAttribute("aria-disabled", "true") : byId("verb-send")?.removeAttribute("aria-disabled");
  const warns = !lacks && isShip(tile()) && "lastLanding" in byId("hint").dataset;
  byId("hint").classList.toggle("marked", Boolean(refused || asked || warns));
  say(refused || (spared ? words.spared : laid ? words.laid : lists() ? words.bonus : lacks ? words[lacks] : advice()));
  observer.takeRecords(); // what is written here is not a push
}

// What the objective brings is asked again for the tile as it lies now, and what Ports bring to a ship. Until the answer is
// there, and on pages that give none, what the objective brings without the tile is said to be that; of a token that goes
// with no tile yet, what is missing.
let weighed = "";
const WEIGHED = ["slot", "tile", "cell", "turn", "token"];

async function weigh() {
  const [usual, placed, form] = [byId("worth"), byId("worth-placed"), byId("act")];
  if (!placed) return;
  const lies = playing() && cell() && tile() && usual.textContent !== "";
  const waits = playing() && !lies && token() && usual.textContent !== "";
  usual.dataset.unplaced = waits ? words.uncounted : words.unplaced;
  usual.classList.toggle("before", Boolean(waits || (lies && !isShip(tile()))));
  const choice = lies && form?.dataset.preview ? [...new FormData(form)].filter(([name]) => WEIGHED.includes(name)) : [];
  const asked = choice.length ? `${form.dataset.preview}?${new URLSearchParams([["verb", "place"], ...choice])}` : "";
  if (asked !== weighed) {
    [weighed, placed.textContent] = [asked, ""];
    const answer = asked && await fetch(asked).catch(() => null);
    if (answer?.ok && asked === weighed) placed.textContent = await answer.text();
  }
  usual.hidden = placed.textContent !== "";
  if (placed.textContent) byId("goal").dataset.worth = placed.textContent; // what a phone shows of the objective
  else delete byId("goal").dataset.worth;
}

// What tokens.js has to know of the tile that is being placed.
function tellPlacing() {
  const placing = tile() && !isShip(tile()) ? { land: tile().dataset.land, coasts: tile().dataset.coasts, cell: cell()?.value, turn: turn() } : null;
  document.dispatchEvent(new CustomEvent("islands:placing", { detail: placing }));
}

// A mark on the map shows whether the House it belongs to is chosen.
function showHouses() {
  for (const mark of all(".house-place")) mark.classList.toggle("chosen", byId(mark.htmlFor).checked);
}

// --- choosing -------------------------------------------------------------------------------------------------------

document.addEventListener("change", ({ target: input }) => {
  if (!board()?.contains(input)) return;
  if (input.checked && input.closest(".deck")) letGoOfTwin(input);
  forget();
  if (input.checked && input.name === "site") chooseHouse(input);
  if (input.checked && input.name === "none") for (const other of all(".site")) other.checked = false;
  if (input.name === "token-place") layToken(input.dataset.where);
  if (input.name === "tile" && isShip(input)) for (const other of all("[name=slot]")) other.checked = false;
  if (input.name === "slot" && isShip(one("[name=tile]:checked"))) byId("tile-taken").checked = true;
  show();
});

// What was said of the choice before.
function forget() {
  asked = 0;
  spared = laid = false;
  refused = "";
}

// One House to an island, and no more than are in hand, which is said.
function chooseHouse(input) {
  byId("no-house").checked = false;
  for (const other of all(`.site[data-island="${input.dataset.island}"]`)) other.checked = other === input;
  const most = Number(byId("house-places").dataset.most);
  if (all(".site:checked").length <= most) return;
  input.checked = false;
  refused = most === 1 ? words.onehouse : words.most.replace("{0}", most);
}

// A card is kept or put aside, not both. In the last round nothing is put aside.
function letGoOfTwin(input) {
  const twin = byId(input.id.replace(/^(now|next)/, (when) => (when === "now" ? "next" : "now")));
  if (twin) twin.checked = false;
}

// A second tap on the chosen cell turns the tile; a second tap on a tile or a token lets go of it.
let wasChosen = null;
document.addEventListener("pointerdown", ({ target: touched }) => {
  const input = touched.matches?.(".cell") ? touched : touched.closest?.(".pick, .use")?.querySelector("input");
  wasChosen = input?.checked ? input : null;
});

document.addEventListener("click", (event) => {
  const touched = event.target;
  if (!playing() || !board().contains(touched)) return;
  if (touched.closest("#turn-tile")) turnOn();
  else if (touched.name === "cell" && touched === wasChosen) turnOn();
  else if (touched.name === "token-use" && touched === wasChosen) { forget(); letGoOfToken(); show(); }
  else if (touched.name === "slot" && touched === wasChosen) { touched.checked = false; show(); }
  else if (touched.name === "tile" && touched === wasChosen && byId("tile-taken")) { byId("tile-taken").checked = true; show(); }
});

// Before no House is placed where one could be, that is asked once; a double tap is not an answer.
let asked = 0;
const HASTE = 500;

function ask() {
  asked = performance.now();
  byId("no-house").checked = true;
  show();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#verb-send") || !asked || performance.now() - asked > HASTE) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// An incomplete choice leaves the button in reach of the keyboard: pressing it says what is missing.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#verb-send");
  if (button?.getAttribute("aria-disabled") !== "true") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (missing() === "places") ask();
  else refuse((tile() && refused) || words[missing()]); // why the tile does not lie where it was put still holds
}, true);

// A press beside the cells that take the tile.
document.addEventListener("islands:empty", ({ detail: why }) => {
  if (playing() && byId("turn-tile")) refuse(!tile() ? words.first : isShip(tile()) ? words.misberth : words[why]);
});

document.addEventListener("toggle", ({ target }) => { if (target.id === "bonus") show(); }, true);

document.addEventListener("wheel", (event) => {
  if (!playing() || !tile() || event.target !== cell()) return;
  event.preventDefault();
  turnOn(event.deltaY > 0 ? 1 : -1);
}, { passive: false, capture: true });

function clear() {
  forget();
  for (const input of all(":checked:not(option)")) input.checked = false;
  for (const select of all("select")) select.value = "";
  for (const id of ["tile-taken", "turn-0"]) if (byId(id)) byId(id).checked = true;
}

// --- keys -----------------------------------------------------------------------------------------------------------

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let current = null; // the cell the arrows have reached

// The nearest legal cell in this direction: straight on counts more than aside.
function neighbour(from, [right, down]) {
  const [x, y] = from.value.split(",").map(Number);
  const ahead = legalCells().map((place) => {
    const [dx, dy] = place.value.split(",").map((number, axis) => number - [x, y][axis]);
    return { place, along: dx * right + dy * down, aside: Math.abs(dx * down) + Math.abs(dy * right) };
  }).filter(({ along }) => along > 0);
  return ahead.sort((a, b) => a.along + 2 * a.aside - b.along - 2 * b.aside)[0]?.place;
}

function rove() {
  const open = legalCells();
  const here = open.find((place) => place.value === current) ?? cell() ?? open[0];
  for (const place of cells()) place.tabIndex = place === here ? 0 : -1;
}

function go(to) {
  if (!to) return;
  current = to.value;
  rove();
  to.focus();
}

// Choose a tile by its number; the arrows then go over the cells it fits.
function pick(number) {
  const input = all("#row input, #hand input:not(#tile-taken), #ships input")[number - 1];
  input?.click();
  const reached = legalCells().find((place) => place.tabIndex === 0);
  (reached ?? input)?.focus();
}

// A token leads on to the places where it may go.
function press(input) {
  input.click();
  if (input.name === "token-use") one(".target")?.focus();
}

const ACTS = { r: () => turnOn(), R: () => turnOn(-1), s: () => byId("verb-send")?.click(), Escape: () => { clear(); show(); } };

function onKey(event) {
  const { target: input, key } = event;
  if (input.name === "cell" && STEPS[key]) go(neighbour(input, STEPS[key]));
  else if (key === "Enter" && input.matches("input")) press(input);
  else if (STEPS[key] && legalCells().length && !input.matches("input, button, summary")) go(legalCells()[0]);
  else if (ACTS[key]) ACTS[key]();
  else if (/^[1-9]$/.test(key)) pick(Number(key));
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  const bare = !event.ctrlKey && !event.altKey && !event.metaKey && !(event.shiftKey && STEPS[event.key]);
  const here = (event.target === document.body || event.target.closest("#islands-board, #status")) && !event.target.closest("select");
  if (bare && here && playing()) onKey(event);
});

document.addEventListener("focusin", ({ target: input }) => { if (input.name === "cell") current = input.value; });

// A token that a hint marks is seen.
document.addEventListener("hint-marked", () => { if (one("#bonus [data-hint]")) byId("bonus").open = true; });

// --- pushes ---------------------------------------------------------------------------------------------------------

// A turn is over when the phase changes or something lies there that did not before.
const stage = () => [board().dataset.phase, byId("tiles").childElementCount, byId("homes").childElementCount].join();
let step = board() && stage();

function refresh() {
  if (stage() !== step || !playing()) {
    clear(); // what was chosen belongs to a turn that is over
    for (const id of ["ghost", "targets"]) byId(id).replaceChildren();
    delete byId("targets").dataset.now;
  }
  if (!playing()) {
    unsay();
    weigh();
  }
  step = stage();
  show();
}

const observer = new MutationObserver((records) => {
  if (!board() || !records.some(({ target }) => target.contains(board()) || board().contains(target))) return;
  refresh();
  observer.takeRecords();
});

// The board may come later, when a match begins at the table.
const root = byId("page");
if (root) {
  if (board()) refresh();
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase", "data-mode", "class"] });
}
