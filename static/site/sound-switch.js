// The switch for sound in menu and footer, on every page but that of a match, which has one of its own.
const KEPT = "tessera-sound";
const isOn = () => localStorage.getItem(KEPT) === "on";
const places = document.querySelectorAll("[data-sound-switch]");

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
