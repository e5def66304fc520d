// What somebody adds to the draws of an event: sixteen random bytes, made here after the site has shown the fingerprint
// of its secret, and sent when they enter. Their page of the event shows them, and so does its file.
const BYTES = 16;

document.addEventListener("submit", ({ target }) => {
  const field = target.elements.namedItem("nonce");
  if (!field) return;
  const bytes = [...crypto.getRandomValues(new Uint8Array(BYTES))];
  field.value = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}, { capture: true });
