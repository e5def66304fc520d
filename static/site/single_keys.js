// Single keys: letters, digits and signs act where nothing is written, and not at all once they are switched off.

const root = document.documentElement;
const WRITING = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable], dialog";
root.dataset.singleKeys ??= localStorage.getItem("tessera-single-keys") ?? "on"; // an account keeps it on the server

// A board that arrives brings the names of its keys.
function hush() {
  if (root.dataset.singleKeys !== "off") return;
  for (const each of document.querySelectorAll("[aria-keyshortcuts]")) each.removeAttribute("aria-keyshortcuts");
}
document.addEventListener("htmx:after:swap", hush);
hush();

// They are stopped here, on their way to whatever listens to them on this page.
window.addEventListener("keydown", (event) => {
  const stopped = root.dataset.singleKeys === "off" || event.target.closest?.(WRITING);
  if (event.key?.length === 1 && stopped) event.stopImmediatePropagation();
}, { capture: true });
