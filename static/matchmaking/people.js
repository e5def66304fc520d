// Suggests people in fields that ask for a name, as one types: a combobox as the ARIA Authoring Practices describe it.
// The server finds them (`people_find`). A field may take several names ("many"), or lead to the profile ("go").
const PAUSE = 150; // milliseconds without a key before the server is asked

class Suggestions {
  constructor(field, id) {
    this.field = field;
    this.several = "many" in field.dataset;
    this.asked = new AbortController();
    this.list = document.createElement("ul");
    this.list.className = "suggestions";
    this.list.id = id;
    this.list.hidden = true;
    this.list.role = "listbox";
    this.list.ariaLabel = field.labels[0]?.textContent ?? "";
    const box = document.createElement("div");
    box.className = "suggesting";
    field.replaceWith(box);
    box.append(field, this.list);
    field.role = "combobox";
    field.ariaAutoComplete = "list";
    field.ariaExpanded = "false";
    field.setAttribute("aria-controls", id);
    this.listen();
  }

  listen() {
    for (const event of ["input", "focus"]) this.field.addEventListener(event, () => this.askSoon());
    this.field.addEventListener("blur", () => this.close());
    this.field.addEventListener("keydown", (event) => this.press(event));
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take(option);
    });
  }

  // What is typed of a name, after the names before it.
  get begun() {
    return this.several ? this.field.value.match(/[^\s,;]*$/)[0] : this.field.value;
  }

  get before() {
    return this.field.value.slice(0, this.field.value.length - this.begun.length);
  }

  get marked() {
    return this.list.querySelector("[aria-selected=true]");
  }

  askSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    try {
      const answer = await fetch(`${this.field.dataset.people}?name=${encodeURIComponent(this.begun)}`, { signal });
      if (answer.ok) this.show(await answer.text());
    } catch {
      // Typed on meanwhile, or no connection: whoever knows the name can still write it.
    }
  }

  show(options) {
    if (document.activeElement !== this.field) return;
    const named = this.before.toLowerCase().split(/[\s,;]+/);
    this.list.innerHTML = options;
    for (const option of [...this.list.children]) {
      option.id = `${this.list.id}-${option.id}`;
      if (named.includes(option.dataset.name.toLowerCase())) option.remove();
    }
    this.list.hidden = !this.list.children.length;
    this.field.ariaExpanded = String(!this.list.hidden);
    this.field.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.waiting);
    this.asked.abort();
    this.list.hidden = true;
    this.list.replaceChildren();
    this.field.ariaExpanded = "false";
    this.field.removeAttribute("aria-activedescendant");
  }

  press(event) {
    const options = [...this.list.children];
    const at = options.indexOf(this.marked);
    if (event.key === "ArrowDown" && options.length) this.mark(options[(at + 1) % options.length]);
    else if (event.key === "ArrowUp" && options.length) this.mark(options.at(at < 0 ? -1 : at - 1));
    else if (event.key === "ArrowDown") this.askSoon();
    else if (event.key === "Enter" && at >= 0) this.take(options[at]);
    else if (event.key === "Escape" && options.length) this.close();
    else return;
    event.preventDefault();
  }

  mark(option) {
    this.marked?.setAttribute("aria-selected", "false");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", option.id);
  }

  take(option) {
    if ("go" in this.field.dataset) location.assign(option.dataset.profile);
    else this.field.value = this.several ? `${this.before}${option.dataset.name} ` : option.dataset.name;
    this.close();
  }
}

document.querySelectorAll("input[data-people]").forEach((field, number) => {
  new Suggestions(field, `suggestions-${number}`);
});
