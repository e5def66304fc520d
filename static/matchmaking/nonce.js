// The player's share of the shuffle: sixteen random bytes, made here after the server has committed itself, and sent
// with the request to sit down.
const BYTES = 16;

function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("submit", (event) => {
  const field = event.target.elements?.namedItem("nonce");
  if (field) field.value = nonce();
}, { capture: true });

// Who sat down before the commitment could be seen (the host, who made the table) sends a new one now.
async function send() {
  const field = document.querySelector("#nonce[data-send]");
  if (!field) return;
  const body = new FormData(field.form);
  body.set("nonce", nonce());
  await fetch(field.dataset.send, { method: "POST", body, redirect: "manual" });
}

send().catch(() => {}); // offline: the first number stays
