// What this browser remembers of each match, whatever the site says later: the fingerprint it was shown before the
// match, and the random number it added. Verify compares the match with it.
const STORE = "tessera-kept";
const MOST = 300; // matches; the oldest are forgotten first
let inMemory = "{}"; // for browsers that store nothing

function load() {
  try { return JSON.parse(localStorage.getItem(STORE) ?? inMemory); } catch { return JSON.parse(inMemory); }
}

function save(matches) {
  const newest = Object.entries(matches).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST);
  inMemory = JSON.stringify(Object.fromEntries(newest));
  try { localStorage.setItem(STORE, inMemory); } catch { /* full or forbidden: kept until the page is left */ }
}

/** Return `{commit, nonce?}` of a match, undefined when this browser kept nothing. */
export const kept = (slug) => load()[slug];

/** Remember a fingerprint. The first one shown stays: that is the point. */
export function keepCommit(slug, commit) {
  const matches = load();
  if (matches[slug]) return;
  save({ ...matches, [slug]: { commit, at: Date.now() } });
}

/** Remember the number this browser adds; the fingerprint must have been kept before. */
export function keepNonce(slug, nonce) {
  const matches = load();
  save({ ...matches, [slug]: { ...matches[slug], nonce } });
}

/** Forget a number which the site did not take, because another browser had sent one. */
export const forgetNonce = (slug) => keepNonce(slug, undefined);
