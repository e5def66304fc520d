// A volume ticks its boxes, and boxes that somebody ticks are a volume or their own choice. The server does without this.

const buttons = [...document.querySelectorAll("#volume [name=volume]")];
const boxes = [...document.querySelectorAll("#told [data-volumes]")];
const own = buttons.find((button) => button.value === "own");

const isAt = (box, volume) => box.dataset.volumes.split(" ").includes(volume);

document.getElementById("volume").addEventListener("change", ({ target }) => {
  if (target === own) document.getElementById("told").open = true;
  else for (const box of boxes) box.checked = isAt(box, target.value);
});

document.getElementById("told").addEventListener("change", () => {
  const volume = buttons.find((button) => button !== own && boxes.every((box) => box.checked === isAt(box, button.value)));
  (volume ?? own).checked = true;
});
