// Offers the names of people one knows for each of several names: a browser compares its list with the whole field.
const field = document.querySelector('input[list="known-names"]');
const names = [...(field?.list?.options ?? [])].map((option) => option.value);

field?.addEventListener("input", () => {
  const before = field.value.match(/^.*[\s,;]/)?.[0] ?? "";
  const named = before.toLowerCase().split(/[\s,;]+/);
  const left = names.filter((name) => !named.includes(name.toLowerCase()));
  field.list.replaceChildren(...left.map((name) => new Option("", before + name)));
});
