// Reads a file of names into the field in which they could be pasted: the file itself is never sent.
const file = document.getElementById("names-file");
const field = document.getElementById(file.dataset.into);
const said = document.getElementById("names-file-said");

// Spreadsheets write UTF-8 or UTF-16, and older ones on Windows neither.
function decoded(bytes) {
  const mark = (bytes[0] << 8) | bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) return new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

file.addEventListener("change", async () => {
  const chosen = file.files[0];
  if (!chosen) return;
  const most = Number(file.dataset.most);
  const text = chosen.size <= 4 * most ? decoded(new Uint8Array(await chosen.arrayBuffer())) : null;
  const fits = text !== null && text.length <= most;
  said.textContent = fits ? "" : file.dataset.tooLong;
  if (fits) field.value = text;
});
