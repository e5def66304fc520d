// What this browser remembers of a match: for the tab, the cards that were placed but not sealed; for good, the last turn
// its reader has moved on from. Where nothing can be stored everything works without.

const KEY = `card-chess ${location.pathname}`;
const TURNS = "card-chess turns";
const MOST = 60;

function read(store, key) {
  try { return JSON.parse(store().getItem(key)) ?? {}; } catch { return {}; }
}

function write(store, key, value) {
  try { store().setItem(key, JSON.stringify(value)); } catch { /* full, or forbidden */ }
}

const tab = () => sessionStorage;
const browser = () => localStorage;

// The cards that were placed, by place, if they were placed at this deal.
export const placed = (dealt) => {
  const kept = read(tab, KEY);
  return kept.dealt === dealt ? kept.picks : {};
};
export const keepPlaced = (dealt, picks) => write(tab, KEY, { dealt, picks });

// The key of the turn the reader has moved on from last; undefined when there is none.
export const seenTurn = () => read(browser, TURNS)[location.pathname];

// Whether no turn of another match has been seen here.
export const isFirstMatch = () => Object.keys(read(browser, TURNS)).every((match) => match === location.pathname);
export function keepSeenTurn(key) {
  const { [location.pathname]: _, ...others } = read(browser, TURNS);
  const kept = Object.entries(others).slice(1 - MOST);
  write(browser, TURNS, { ...Object.fromEntries(kept), [location.pathname]: key });
}
