// Puts a text on the clipboard and says whether it is there. Over plain http a browser has no `navigator.clipboard`: the
// text is selected in a field and copied as by hand; where even that is refused the reader gets it to copy themselves.
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* not there, or not allowed */ }
  const before = document.activeElement;
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
  (document.querySelector("dialog[open], :popover-open") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  if (!done) prompt(document.getElementById("notices").dataset.copy, text);
  return done;
}

// The button says that it was done, to those who do not see it as well.
export async function copyFor(button, text) {
  if (await copied(text)) button.textContent = document.getElementById("live").textContent = button.dataset.done;
}
