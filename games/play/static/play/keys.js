// Single keys: letters, digits and signs act where nothing is being written, and not at all once their reader has switched
// them off. Whatever listens to them on a page with a board, they are stopped here, on their way to it.

const KEPT = "tessera-single-keys"; // of visitors; an account keeps it on the server
const WRITING = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable], dialog";

const root = document.documentElement;
const dialog = document.getElementById("shortcuts");
const box = document.getElementById("single-keys");
const isOff = () => root.dataset.singleKeys === "off";
const show = (on) => {
  root.dataset.singleKeys = on ? "on" : "off";
  box.checked = on;
  if (!on) for (const each of document.querySelectorAll("[aria-keyshortcuts]")) each.removeAttribute("aria-keyshortcuts");
};

window.addEventListener("keydown", (event) => {
  if (event.key?.length === 1 && (isOff() || event.target.closest?.(WRITING))) event.stopImmediatePropagation();
}, { capture: true });

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  dialog.showModal();
});
document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-opens-shortcuts]")) dialog.showModal(); });

box.addEventListener("change", async () => {
  const on = box.checked;
  show(on);
  if (!box.form) return localStorage.setItem(KEPT, on ? "on" : "off");
  const kept = await fetch(box.form.action, { method: "POST", body: new FormData(box.form) }).catch(() => null);
  if (!kept?.ok) show(!on);
});

// A board that arrives brings its names of keys again.
document.addEventListener("htmx:after:swap", () => { if (isOff()) show(false); });
show(!isOff() && (box.form || localStorage.getItem(KEPT) !== "off"));
