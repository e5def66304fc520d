// Asks by HTTP for what the page's socket would bring, where the network lets no socket through. What comes is handed to
// the page as if the socket had brought it; other scripts add to each question what they show ("polling").
const PATIENCE = 15000;
const RETURNS = [[document, "visibilitychange"], [window, "focus"], [window, "online"], [window, "pageshow"]];

let told = "";
let round = new AbortController();
let wake = () => {};

function question(place) {
  const address = new URL(place.dataset.news, location.href);
  address.searchParams.set("told", told);
  document.dispatchEvent(new CustomEvent("polling", { detail: address.searchParams }));
  return address;
}

// As the extension does with what a socket brings.
function deliver(place, message) {
  const detail = { connection: { socket: null }, polled: true, message: { data: JSON.stringify(message) } };
  const wanted = htmx.trigger(place, "htmx:ws:before:message:incoming", detail);
  if (!wanted || typeof message.content !== "string") return;
  const [target, swap] = ["hx-target", "hx-swap"].map((name) => place.getAttribute(name));
  htmx.swap({ sourceElement: place, target, swap, text: message.content, transition: false });
}

// Asks once; returns how many seconds to wait before the next question.
async function ask(place, says, { signal }) {
  const every = Number(place.dataset.every);
  const late = AbortSignal.timeout(PATIENCE);
  try {
    const headers = { "HX-Request": "true" };
    const waited = new Promise((_, fail) => { late.onabort = signal.onabort = fail; });
    const answer = await Promise.race([fetch(question(place), { headers, redirect: "manual" }), waited]);
    if (answer.type === "opaqueredirect" || [403, 404].includes(answer.status)) { says.end(); return every; }
    says.reach(answer.status < 500);
    if (!answer.ok) return Math.max(every, Number(answer.headers.get("Retry-After")));
    if (answer.status === 204) return every;
    const news = await Promise.race([answer.json(), waited]);
    told = news.told;
    for (const message of news.messages) deliver(place, message);
  } catch {
    if (!signal.aborted) says.reach(false);
  }
  return every;
}

const pause = (seconds) => new Promise((done) => { wake = done; setTimeout(done, seconds * 1000); });

// Whoever comes back does not wait.
const back = () => { if (!document.hidden) wake(); };

/** Begin to ask for an element with a socket. `says.reach(bool)` hears whether that works, `says.end()` that it is over. */
export async function begin(place, says) {
  stop();
  const mine = round = new AbortController();
  for (const [target, name] of RETURNS) target.addEventListener(name, back);
  while (!mine.signal.aborted) await pause(await ask(place, says, mine));
}

/** Ask no more. */
export function stop() {
  round.abort();
  for (const [target, name] of RETURNS) target.removeEventListener(name, back);
}
