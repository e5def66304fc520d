// Sounds, made here and not recorded: your turn, a stone, a card, a tile, a capture, little time, the end. They are off
// until a switch (site/connection.js) turns them on, which this browser keeps; none is heard before what it belongs to is
// painted.

const KEPT = "tessera-sound";
const page = document.getElementById("page");
const isOn = () => localStorage.getItem(KEPT) === "on";

let context;

// Browsers let a page be heard only after its reader has touched it.
function wake() {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

// --- the instruments ------------------------------------------------------------------------------------------------

// A tone: pitch in Hz, begins after so many seconds, fades within so many.
function tone(pitch, after, fades, { loud = 0.2, shape = "sine", to = pitch } = {}) {
  const [at, oscillator, gain] = [context.currentTime + after, context.createOscillator(), context.createGain()];
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(pitch, at);
  oscillator.frequency.exponentialRampToValueAtTime(to, at + fades);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + fades);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + fades + 0.02);
}

// A rustle or a knock: noise around a pitch.
function noise(pitch, after, fades, { loud = 0.3, width = 1 } = {}) {
  const at = context.currentTime + after;
  const buffer = context.createBuffer(1, context.sampleRate * fades, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let number = 0; number < samples.length; number += 1) samples[number] = Math.random() * 2 - 1;
  const [source, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()];
  source.buffer = buffer;
  Object.assign(filter, { type: "bandpass" }).frequency.value = pitch;
  filter.Q.value = width;
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + fades);
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(at);
}

const SOUNDS = {
  stone: () => { noise(900, 0, 0.05, { width: 3 }); tone(190, 0, 0.09, { loud: 0.25, to: 120 }); },
  card: () => noise(3200, 0, 0.12, { loud: 0.16, width: 0.8 }),
  tile: () => { noise(600, 0, 0.06, { width: 2 }); tone(140, 0.01, 0.12, { loud: 0.3, to: 90 }); },
  capture: () => { noise(2600, 0, 0.1, { loud: 0.12 }); tone(523, 0.05, 0.22, { loud: 0.12 }); tone(784, 0.13, 0.3, { loud: 0.12 }); },
  turn: () => { tone(659, 0, 0.35, { loud: 0.14 }); tone(880, 0.12, 0.45, { loud: 0.14 }); },
  clock: () => [0, 0.18, 0.36].forEach((after) => tone(1000, after, 0.07, { loud: 0.12, shape: "triangle" })),
  end: () => [392, 494, 587, 784].forEach((pitch, number) => tone(pitch, number * 0.13, 0.7, { loud: 0.12 })),
};

function play(kind) {
  if (!isOn()) return;
  wake();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (context.state !== "running") return;
    SOUNDS[kind]();
  }));
}

// A switch was pressed: whoever turns sounds on hears one.
export const switched = () => play("turn");

document.addEventListener("pointerdown", wake, { capture: true });
document.addEventListener("keydown", wake, { capture: true });

// --- what is heard --------------------------------------------------------------------------------------------------

document.addEventListener("board-sound", ({ detail }) => play(detail));

const look = () => ({
  isOver: document.getElementById("match")?.dataset.status !== "running",
  isMine: Boolean(document.querySelector("#match-status.my-turn")),
  isShort: Boolean(document.querySelector(`#player-${document.getElementById("match")?.dataset.seat} .clock.low`)),
});

let before = look();

function listen() {
  const now = look();
  if (now.isOver && !before.isOver) play("end");
  else if (now.isMine && !before.isMine) play("turn");
  else if (now.isShort && !before.isShort) play("clock");
  before = now;
}

new MutationObserver(listen).observe(page, {
  subtree: true, childList: true, attributes: true, attributeFilter: ["class", "data-status"],
});
