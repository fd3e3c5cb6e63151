// The dials of the methods on the stage, as sliders: moved here, a run begins anew past the page.

import { button, fill, make, say, withIndices } from "../dom.js";
import { number } from "../numbers.js";

export class Dials {
  constructor(view) {
    this.view = view;
    this.el = make("div", "dials");
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", "Dials");
    this.list = make("div", "list");
    this.choice = make("select", "which");
    this.choice.setAttribute("aria-label", "Which dial");
    this.choice.onchange = () => { this.use = this.choice.value; view.repaint(); };
    this.el.append(this.choice, this.list);
    this.open = false; // on a desktop, where the page has widgets of its own
    this.held = new Map(); // dial -> where the hand holds it, until a run with that value is here
  }

  toggle() {
    this.open = !this.open;
    this.view.resized();
  }

  get dials() {
    const { model } = this.view, several = model.runs.length > 1;
    return model.runs.flatMap((run) => run.about.dials.map((dial) => ({
      ...dial, run: run.id, key: `${several ? model.runs.indexOf(run) : ""}${dial.name}`,
      title: several ? `${this.view.nameOf(run)}: ${dial.title}` : dial.title,
    })));
  }

  paint() {
    const { view } = this, { dials } = this, single = view.stage.layout !== "wide";
    this.el.hidden = !dials.length || (!single && !this.open);
    if (this.el.hidden) return;
    this.choice.hidden = !single || dials.length < 2;
    fill(this.choice, dials, () => make("option"), (option, dial) => {
      say(option, dial.title);
      option.value = dial.key;
    });
    const used = dials.find((dial) => dial.key === this.use) || dials[0];
    if (this.choice.value !== used.key) this.choice.value = used.key;
    fill(this.list, single ? [used] : dials, () => this.create(), (item, dial) => this.update(item, dial, single));
  }

  create() {
    const item = make("label", "dial"), name = make("span", "name"), range = make("input"), value = make("output");
    range.type = "range";
    range.step = "1";
    item.append(name, range, value);
    return item;
  }

  update(item, dial, single) {
    const [name, range, value] = item.children, held = this.held.get(dial.key);
    if (held !== undefined && Math.abs(dial.stops[held] - dial.value) < 1e-9 * Math.abs(dial.value)) {
      this.held.delete(dial.key);
    }
    const at = this.held.get(dial.key) ?? dial.at, shown = this.held.has(dial.key) ? dial.stops[at] : dial.value;
    if (item.dataset.key !== dial.key) {
      item.dataset.key = dial.key;
      name.replaceChildren(...withIndices(dial.title));
    }
    name.hidden = single && !this.choice.hidden;
    item.title = dial.meaning;
    range.max = String(dial.stops.length - 1);
    range.setAttribute("aria-label", dial.title);
    range.setAttribute("aria-valuetext", number(shown, 4));
    if (Number(range.value) !== at) range.value = String(at);
    range.style.setProperty("--at", `${(100 * at) / Math.max(dial.stops.length - 1, 1)}%`);
    say(value, `${dial.letter} = ${number(shown, 4)}`);
    range.oninput = () => {
      const to = Number(range.value);
      this.held.set(dial.key, to);
      this.view.turn(dial.run, dial.name, dial.stops[to]);
      this.view.repaint();
    };
  }
}

const OPEN = "Move the method's own dials here";
export const dialsButton = (view) => button("tool turn", "dials", OPEN, () => view.dials.toggle());
