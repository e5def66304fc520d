// Says beside "More options" what is chosen there, and lets a table for a link be casual unless its host says otherwise.
const form = document.getElementById("new-table");
const { rated, visibility } = form.elements;
let decided = false;

const words = ({ dataset: { says, yes, no } }) => {
  const field = form.elements[says];
  return field.type === "checkbox" ? (field.checked ? yes : no) : field.selectedOptions[0].text;
};

function tell() {
  for (const place of form.querySelectorAll("[data-says]")) place.textContent = words(place);
}

form.addEventListener("change", ({ target }) => {
  if (target === rated) decided = true;
  if (target === visibility && !decided && !rated.disabled) rated.checked = visibility.value !== "link";
  tell();
});
tell(); // a browser that comes back to the page has kept what was chosen
