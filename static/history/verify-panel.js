// The Verify button of the replay page: puts into words what verify.js found.

import { kept } from "../matchmaking/kept.js";
import { compare, verify } from "./verify.js";

const button = document.getElementById("verify");
const result = document.getElementById("verify-result");
const page = document.getElementById("commitment");
const own = kept(page.dataset.slug);
const mine = page.dataset.mine === "" ? null : Number(page.dataset.mine);

const line = (text, good) => {
  const paragraph = document.createElement("p");
  paragraph.className = good ? "verify-line" : "verify-line failed";
  paragraph.textContent = text;
  return paragraph;
};

const note = (text) => {
  const paragraph = document.createElement("p");
  paragraph.className = "meta";
  paragraph.textContent = text;
  return paragraph;
};

const load = async () => {
  const response = await fetch(button.dataset.draws, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
};

const details = (draws) => {
  const box = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = result.dataset.details;
  const list = document.createElement("dl");
  for (const draw of draws) {
    const term = document.createElement("dt");
    const value = document.createElement("dd");
    term.textContent = draw.label;
    value.textContent = draw.values.join(" ");
    list.append(term, value);
  }
  box.append(summary, list);
  return box;
};

// Only what was kept outside the site can prove what the site showed before the match.
const compared = (match, say) => {
  const same = compare(own, match, mine);
  if (same.commit === null) return [note(say.nothingKept)];
  const nonce = same.nonce === null ? note(say.noNonce) : line(same.nonce ? say.nonceGood : say.nonceBad, same.nonce);
  return [line(same.commit ? say.keptGood : say.keptBad, same.commit), ...(mine === null ? [] : [nonce])];
};

const order = (found, match, say) =>
  match.joined.every((k) => k === null)
    ? note(say.orderNotDrawn)
    : line(found.order ? say.orderGood : say.orderBad, found.order);

const tell = (found, match) => {
  const say = result.dataset;
  const draws = found.wrong.length ? `${say.drawsBad} ${found.wrong.join(", ")}` : `${say.drawsGood} ${found.checked}`;
  const seals = found.broken.length ? `${say.sealsBad} ${found.broken.join(", ")}` : `${say.sealsGood} ${match.seals.length}`;
  result.replaceChildren(
    ...compared(match, say),
    line(found.commit ? say.commitGood : say.commitBad, found.commit),
    line(found.seed ? say.seedGood : say.seedBad, found.seed),
    order(found, match, say),
    line(draws, !found.wrong.length),
    ...(match.seals.length ? [line(seals, !found.broken.length)] : []),
    details(match.draws),
  );
  result.dataset.good = String(!result.querySelector(".failed"));
};

button.addEventListener("click", async () => {
  result.textContent = result.dataset.working;
  try {
    if (!globalThis.crypto?.subtle) throw new Error(result.dataset.insecure);
    const match = await load();
    tell(await verify(page.textContent.trim(), match), match);
  } catch (error) {
    result.replaceChildren(line(`${result.dataset.failed} ${error.message}`, false));
  }
});
button.hidden = false;

for (const [id, value] of [["kept-commit", own?.commit], ["kept-nonce", own?.nonce]]) {
  const field = document.getElementById(id);
  field.textContent = value ?? "";
  field.closest("div").hidden = !value;
}
