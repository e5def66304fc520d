// Shows what one types as a password while a box is ticked: it is asked for only once.
for (const box of document.querySelectorAll("input[data-shows]")) {
  const field = document.getElementById(box.dataset.shows);
  const show = () => {
    field.type = box.checked ? "text" : "password";
  };
  box.addEventListener("change", show);
  // Hidden again when it is sent, or browsers would offer it in other forms.
  field.form.addEventListener("submit", () => {
    field.type = "password";
  });
  show();
}
