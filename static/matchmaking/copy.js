// Copies the full address of the table.
import { copyFor } from "../site/copying.js";

for (const field of document.querySelectorAll("input[data-absolute]")) {
  field.value = new URL(field.value, location.href).href;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  copyFor(button, field.value);
});
