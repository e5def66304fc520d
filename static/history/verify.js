// Draw the chance of a match again with the browser's own cryptography. The contract is in games/engine/fair.py:
//   commit       SHA-256("tessera-commit-v1" 00 server_seed)
//   final_seed   SHA-256("tessera-seed-v1" 00 server_seed || for each k ascending: u16be(k) u16be(length) nonce[k])
//   seats        where drawn: shuffle(0..n-1) with the label "0:seats" says for each seat when its player sat down
//   stream       block i = HMAC-SHA-256(final_seed, label 00 u64be(i)), read as big-endian u32
//   below(n)     reject x >= 2^32 - (2^32 mod n), else x mod n
//   shuffle      for i = len-1 .. 1: j = below(i+1); swap
// and in games/engine/fair.py:
//   seal         SHA-256("tessera-seal-v1" 00 commit 00 turn 00 seat 00 text 00 salt)

const WORDS = 2 ** 32;
const text = new TextEncoder();

export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const toHex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const join = (...parts) => {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};

const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));
const u16 = (number) => Uint8Array.of(number >> 8, number & 255);

export const commitment = async (serverSeed) => toHex(await sha256(text.encode("tessera-commit-v1\0"), serverSeed));

export const finalSeed = (serverSeed, nonces) => {
  const added = nonces.flatMap((nonce, k) => [u16(k), u16(nonce.length), nonce]);
  return sha256(text.encode("tessera-seed-v1\0"), serverSeed, ...added);
};

export const sealOf = async (commit, { turn, seat, text: asked, salt }) =>
  toHex(await sha256(text.encode(["tessera-seal-v1", commit, turn, seat, asked, ""].join("\0")), fromHex(salt)));

class Stream {
  #key;
  #prefix;
  #block = 0;
  #ready = [];

  constructor(key, label) {
    this.#key = key;
    this.#prefix = text.encode(`${label}\0`);
  }

  async u32() {
    if (!this.#ready.length) {
      const message = new Uint8Array(this.#prefix.length + 8);
      message.set(this.#prefix);
      new DataView(message.buffer).setBigUint64(this.#prefix.length, BigInt(this.#block));
      this.#block += 1;
      const block = new DataView(await crypto.subtle.sign("HMAC", this.#key, message));
      for (let at = 0; at < 32; at += 4) this.#ready.push(block.getUint32(at));
    }
    return this.#ready.shift();
  }

  async below(n) {
    const limit = WORDS - (WORDS % n);
    let x = await this.u32();
    while (x >= limit) x = await this.u32();
    return x % n;
  }

  async shuffle(length) {
    const order = Array.from({ length }, (_, index) => index);
    for (let i = length - 1; i > 0; i -= 1) {
      const j = await this.below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }
}

const redraw = async (key, draw) => {
  const stream = new Stream(key, draw.label);
  if (draw.kind === "shuffle") return stream.shuffle(draw.n);
  const numbers = [];
  while (numbers.length < draw.result.length) numbers.push(await stream.below(draw.n));
  return numbers;
};

const same = (ours, theirs) => ours.length === theirs.length && ours.every((value, index) => value === theirs[index]);

const isDrawn = async (key, joined) =>
  joined.every((k) => k === null) || same(await redraw(key, { label: "0:seats", kind: "shuffle", n: joined.length }), joined);

/**
 * Check what `draws.json` says about a match.
 * @param {string} shown the commitment shown before the match, as this browser kept it, else as the page shows it
 * @param {{commit: string, server_seed: string, nonces: string[], joined: (number|null)[], final_seed: string,
 *   draws: object[], seals: object[]}} match
 * @returns {Promise<{commit: boolean, seed: boolean, order: boolean, checked: number, wrong: string[],
 *   broken: number[]}>} `order`: the seats are as drawn, or were not drawn; `wrong`: labels that differ; `broken`:
 *   numbers of actions that do not fit their seal
 */
export const verify = async (shown, match) => {
  const serverSeed = fromHex(match.server_seed);
  const seed = await finalSeed(serverSeed, match.nonces.map(fromHex));
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const wrong = [];
  for (const draw of match.draws) {
    if (!same(await redraw(key, draw), draw.result)) wrong.push(draw.label);
  }
  const broken = [];
  for (const sealed of match.seals) {
    if ((await sealOf(match.commit, sealed)) !== sealed.seal) broken.push(sealed.number);
  }
  return {
    commit: (await commitment(serverSeed)) === shown && match.commit === shown,
    seed: toHex(seed) === match.final_seed,
    order: await isDrawn(key, match.joined),
    checked: match.draws.length,
    wrong,
    broken,
  };
};

/**
 * Compare a match with what this browser kept of it.
 * @param {{commit: string, nonce?: string}|undefined} kept
 * @param {{commit: string, nonces: string[]}} match
 * @param {number|null} mine which of the nonces is the reader's, null for somebody who did not play
 * @returns {{commit: boolean|null, nonce: boolean|null}} null where there is nothing to compare with
 */
export const compare = (kept, match, mine) => ({
  commit: kept ? kept.commit === match.commit : null,
  nonce: kept?.nonce && mine !== null ? match.nonces[mine] === kept.nonce : null,
});
