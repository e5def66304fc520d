// Hides what does not apply to the choices made: options for other numbers of players, rating alone, whom to invite.
// Without this script everything stays visible and the server ignores what does not apply.
const form = document.getElementById("new-table");

function fit() {
  const seats = form.elements.namedItem("seats").value;
  for (const part of form.querySelectorAll("[data-for-seats]")) {
    part.hidden = !part.dataset.forSeats.split(" ").includes(seats);
  }
  for (const part of form.querySelectorAll("[data-not-alone]")) part.hidden = seats === "1";
}

form.addEventListener("change", fit);
fit();
