// The list of keys, and the switch for single ones: letters, digits and signs (site/connection.js stops them).
const root = document.documentElement;
const dialog = document.getElementById("shortcuts");
const box = document.getElementById("single-keys");

function show(on) {
  root.dataset.singleKeys = on ? "on" : "off";
  box.checked = on;
}

export const follow = () => dialog.showModal();

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  follow();
});
document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-opens-shortcuts]")) follow(); });

box.addEventListener("change", async () => {
  const on = box.checked;
  show(on);
  if (!box.form) return localStorage.setItem("tessera-single-keys", root.dataset.singleKeys);
  const kept = await fetch(box.form.action, { method: "POST", body: new FormData(box.form) }).catch(() => null);
  if (!kept?.ok) show(!on);
});

show(root.dataset.singleKeys !== "off");
