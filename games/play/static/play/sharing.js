// A link to the match goes where its reader wants it, with a picture of the board where the system takes one: the system
// asks where, or the link is copied. The code for other pages is always copied.
import { copyFor } from "../site/copying.js";

const PATIENCE = 1500; // milliseconds: a system soon forgets that it was asked by a person
const pictures = new Map();

// Called before anybody decides, so that the picture is there when they do.
export function prepare({ dataset: { picture } }) {
  if (!navigator.canShare) return [];
  if (!pictures.has(picture)) pictures.set(picture, drawn(picture).catch(() => []));
  return pictures.get(picture);
}

export async function follow(link) {
  if (link.dataset.copy) return await copyFor(link, document.getElementById(link.dataset.copy).value);
  const { href: url, dataset: { share: text } } = link;
  try {
    if (navigator.share) return await navigator.share({ text, url, ...await pictured(link) });
    await copyFor(link, url);
  } catch { /* they thought better of it */ }
}

async function drawn(address) {
  const response = await fetch(address);
  if (!response.ok) return [];
  const picture = await response.blob();
  return [new File([picture], "tessera.png", { type: picture.type })];
}

async function pictured(link) {
  if (!link.dataset.picture) return {};
  const late = new Promise((done) => setTimeout(done, PATIENCE, []));
  const files = await Promise.race([prepare(link), late]);
  return files.length && navigator.canShare({ files }) ? { files } : {};
}
