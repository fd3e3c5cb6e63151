// Why a value is what it is: the equation in the paper's letters, the same with this step's numbers, in words; its
// terms open their own why, and a trail of crumbs leads back.

import { button, fill, make, say, withIndices } from "../dom.js";
import { formula, labelOf, nodes } from "../math.js";
import { whereOf } from "../model.js";
import { number } from "../numbers.js";

export class WhyPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel why");
    this.el.setAttribute("aria-label", "Why this value?");
    this.grip = button("grip", "", "Larger or smaller", () => view.stage.sheet("toggle"));
    const head = make("div", "head");
    this.title = make("h3", "", "Why this value?");
    this.close = button("tool close", "×", "Close: nothing is pinned", () => view.pointer.pin(null));
    head.append(this.title, this.close);
    this.values = make("div", "values");
    this.coordinates = make("div", "values coordinates");
    this.crumbs = make("ol", "crumbs");
    this.crumbs.setAttribute("aria-label", "The way back");
    this.told = make("div", "told");
    this.told.setAttribute("aria-live", "polite");
    this.hint = make("p", "words");
    this.el.append(this.grip, head, this.values, this.coordinates, this.crumbs, this.told, this.hint);
    this.drag();
  }

  get model() { return this.view.model; }

  paint() {
    const { model, view } = this, { pin } = model, { trail } = view.pointer;
    this.el.classList.toggle("empty", !pin);
    this.close.hidden = !pin;
    if (!pin || !model.run) {
      say(this.title, "Why this value?");
      const how = view.stage.layout === "narrow" ? "Tap" : "Point at a picture to read it; click";
      say(this.hint, `${how} an entry to keep it and see how its value came about.`);
      for (const part of [this.values, this.coordinates, this.crumbs, this.told]) part.replaceChildren();
      this.shown = null;
      return;
    }
    say(this.title, view.pointer.named(pin));
    this.paintValues(pin);
    this.paintCoordinates(pin);
    this.paintCrumbs(trail);
    this.paintTold(trail);
  }

  // The pinned thing in every picture that has it; each can be asked why.
  paintValues(pin) {
    const { model, view } = this, exact = view.exact("pinned"), several = model.runs.length > 1;
    const found = [...model.parts.values()].flatMap((part) => part.about.pictures
      .filter((picture) => whereOf(picture.axes, pin) && view.stage.card(part, picture).valueAt)
      .map((picture) => ({ part, picture })));
    fill(this.values, found, () => {
      const item = button("value", "", "", null);
      item.append(make("b"), make("span"));
      return item;
    }, (item, { part, picture }) => {
      const name = (several ? `${view.nameOf(part)}: ` : "") + picture.letter;
      if (item.dataset.name !== name) item.children[0].replaceChildren(...withIndices((item.dataset.name = name)));
      const known = exact?.[part.id]?.[picture.name], drawn = view.stage.card(part, picture).valueAt(pin);
      const value = known !== undefined ? number(known) : drawn === null || drawn === undefined ? "…"
        : `≈ ${number(drawn)}`;
      say(item.children[1], value);
      item.title = picture.meaning;
      item.disabled = !picture.explained;
      const [root] = view.pointer.trail;
      item.setAttribute("aria-pressed", String(Boolean(root && root.run === part.id && root.name === picture.name)));
      item.onclick = () => view.pointer.askWhy(part, picture.name);
    });
  }

  // Of a point of an embedding one coordinate is asked why; here stand the others.
  paintCoordinates(pin) {
    const { model, view } = this, part = model.part(pin.part) || model.run, picture = part.picture(pin.quantity);
    const count = picture ? part.frame(picture.name, model.shown)?.dims || 0 : 0;
    const each = Array.from({ length: count }, (_, k) => k);
    fill(this.coordinates, each, () => button("value", "", "", null), (item, k) => {
      say(item, `coordinate ${k + 1}`);
      item.setAttribute("aria-pressed", String(pin.where.coordinate?.[0] === k));
      item.onclick = () => view.pointer.pin({ ...pin, where: { ...pin.where, coordinate: [k] } }, true);
    });
  }

  paintCrumbs(trail) {
    fill(this.crumbs, trail.length > 1 ? trail : [], () => {
      const item = make("li");
      item.append(button("link", "", "", null));
      return item;
    }, (item, entry, k) => {
      const link = item.firstChild, text = this.crumb(entry);
      if (link.dataset.text !== text) link.replaceChildren(...withIndices((link.dataset.text = text)));
      link.onclick = () => this.view.pointer.back(k);
      if (k === trail.length - 1) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
  }

  crumb(entry) {
    if (entry.end) return entry.symbol;
    const letter = this.view.pointer.told(entry)?.letter || entry.symbol || entry.name;
    return `${letter} · ${entry.iteration}`;
  }

  paintTold(trail) {
    const entry = trail.at(-1), told = entry && !entry.end && this.view.pointer.told(entry);
    const key = entry ? JSON.stringify([entry, Boolean(told), this.view.stage.layout]) : "";
    if (!entry) {
      this.told.replaceChildren();
      this.shown = "";
      say(this.hint, this.ask());
      return;
    }
    say(this.hint, "");
    if (this.shown === key) return;
    if (!entry.end && !told) {
      this.told.setAttribute("aria-busy", "true"); // what was told before stands until the answer is here
      return;
    }
    this.shown = key;
    this.told.removeAttribute("aria-busy");
    this.told.replaceChildren(...(entry.end ? [this.sentence("words", entry.end, [])] : this.parts(entry, told)));
  }

  // What can be asked next, in words.
  ask() {
    const { model } = this, { object } = model.pin.where;
    const lines = [];
    if (object?.length === 1 && model.labelsOf()) {
      const labels = model.labelsOf(), p = model.data.member[object[0]];
      lines.push(`Cluster ${labels.labels[p] + 1}, certainty ${number(labels.sure[p])}; else it would go to cluster ` +
        `${labels.second[p] + 1}.`);
      const [clustering] = model.pin.where.clustering || [];
      if (clustering !== undefined) {
        const label = model.data.rows[p * model.data.m + clustering], name = model.data.names[clustering];
        lines.push(label < 0 ? `No label in ${name}.` : `In ${name} it has label ${label + 1}.`);
      }
    }
    lines.push("Choose a quantity above to see how its value came about.");
    return (this.values.children.length ? lines : lines.slice(0, -1)).join(" ");
  }

  parts(entry, told) {
    const terms = told.terms || [], act = (k) => this.view.pointer.open(entry, terms[k]);
    const parts = [], whole = make("div", "formula");
    const lines = [[told.mathml, told.formula], [told.filled_mathml, told.filled]];
    for (const [mathml, pieces] of lines) {
      if (mathml || pieces?.some((piece) => piece !== "")) {
        whole.append(formula(mathml, pieces, terms, act, (axis, thing) => this.called(axis, thing)));
      }
    }
    if (told.said) whole.append(make("div", "line result", `= ${told.said}`));
    if (told.equation) whole.append(make("span", "equation", told.equation));
    if (whole.children.length) parts.push(whole);
    parts.push(this.sentence("words", [...(told.words || []), ` (iteration ${entry.iteration})`], terms));
    if (told.rest) parts.push(make("p", "words rest", `What is left of the equation: ${told.rest}.`));
    if (terms.length) parts.push(this.list(terms, act));
    if (terms.some((term) => term.when === "before")) {
      parts.push(make("p", "note key", "◂ marks values of the step before; all others are of this step."));
    }
    return parts;
  }

  sentence(kind, pieces, terms) {
    const line = make("p", kind);
    line.append(...nodes(pieces, terms, null, (axis, thing) => this.called(axis, thing)));
    return line;
  }

  called(axis, thing) { return this.model.called(axis, thing); }

  // Every term with what it means; a click opens its own why, or says where the trail ends.
  list(terms, act) {
    const list = make("ul", "terms");
    terms.forEach((term, k) => {
      const item = make("li"), open = button("", "", labelOf(term), () => act(k));
      open.className = `term row t${k % 6}${term.when === "before" ? " before" : ""}`;
      const symbol = make("b");
      symbol.append(...withIndices(term.symbol));
      open.append(symbol, make("span", "meaning", term.meaning), make("span", "said", term.said || ""));
      open.onfocus = open.onpointerenter = () => this.light(k, true);
      open.onblur = open.onpointerleave = () => this.light(k, false);
      item.append(open);
      list.append(item);
    });
    return list;
  }

  // The same term everywhere in the panel, while one points at it.
  light(k, on) {
    for (const element of this.told.querySelectorAll(`[data-term="${k}"]`)) element.classList.toggle("lit", on);
  }

  // On a telephone the panel is a sheet: dragged up it is large, dragged down it closes.
  drag() {
    let from = null;
    this.grip.onpointerdown = (event) => {
      from = event.clientY;
      this.grip.setPointerCapture(event.pointerId);
    };
    this.grip.onpointermove = (event) => {
      if (from !== null) this.el.style.translate = `0 ${Math.max(event.clientY - from, 0)}px`;
    };
    this.grip.onpointerup = (event) => {
      const moved = from === null ? 0 : event.clientY - from;
      from = null;
      this.el.style.translate = "";
      this.dragged = Math.abs(moved) > 24; // the click that follows is none
      if (moved > 60) this.view.stage.sheet("down");
      else if (moved < -24) this.view.stage.sheet("up");
    };
    this.grip.onclick = () => {
      if (!this.dragged) this.view.stage.sheet("toggle");
      this.dragged = false;
    };
  }
}
