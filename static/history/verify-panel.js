// The Verify button of the replay page: says in words what verify.js found.

import { verify } from "./verify.js";

const button = document.getElementById("verify");
const result = document.getElementById("verify-result");
const shown = document.getElementById("commitment").textContent.trim();

const line = (text, good) => {
  const paragraph = document.createElement("p");
  paragraph.className = good ? "verify-line" : "verify-line failed";
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

const tell = (found, match) => {
  const say = result.dataset;
  const draws = found.wrong.length ? `${say.drawsBad} ${found.wrong.join(", ")}` : `${say.drawsGood} ${found.checked}`;
  const seals = found.broken.length ? `${say.sealsBad} ${found.broken.join(", ")}` : `${say.sealsGood} ${match.seals.length}`;
  result.replaceChildren(
    line(found.commit ? say.commitGood : say.commitBad, found.commit),
    line(found.seed ? say.seedGood : say.seedBad, found.seed),
    line(draws, !found.wrong.length),
    ...(match.seals.length ? [line(seals, !found.broken.length)] : []),
    details(match.draws),
  );
  result.dataset.good = String(found.commit && found.seed && !found.wrong.length);
};

button.addEventListener("click", async () => {
  result.textContent = result.dataset.working;
  try {
    if (!globalThis.crypto?.subtle) throw new Error(result.dataset.insecure);
    const match = await load();
    tell(await verify(shown, match), match);
  } catch (error) {
    result.replaceChildren(line(`${result.dataset.failed} ${error.message}`, false));
  }
});
button.hidden = false;
