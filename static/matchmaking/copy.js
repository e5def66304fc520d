// Copies the full address of the table.
for (const field of document.querySelectorAll("input[data-absolute]")) {
  field.value = new URL(field.value, location.href).href;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  button.textContent = button.dataset.done;
});
