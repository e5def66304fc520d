// The switch for sound in menu and footer. What is heard is up to the page of a match, which has a switch of its own.
const KEPT = "tessera-sound";
const isOn = () => localStorage.getItem(KEPT) === "on";
const places = document.getElementById("sound") ? [] : document.querySelectorAll("[data-sound-switch]");

function show() {
  for (const place of places) {
    place.hidden = false;
    place.querySelector("button").setAttribute("aria-pressed", String(isOn()));
  }
}

for (const place of places) {
  place.addEventListener("click", () => {
    localStorage.setItem(KEPT, isOn() ? "off" : "on");
    show();
  });
}
addEventListener("storage", ({ key }) => { if (key === KEPT) show(); });
show();
