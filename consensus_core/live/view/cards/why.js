// Why a value is what it is: the equation in the paper's letters, the same with this step's numbers, in words; its
// terms open their own why, and a trail of crumbs leads back.

import { button, fill, make, say, withIndices } from "../dom.js";
import { formula, labelOf, leads, nodes } from "../math.js";
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
      .filter((picture) => whereOf(picture.axes, pin) && view.stage.card(part, picture).valueAt
        && (!view.scene.some || view.scene.show.includes(picture.name)))
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
    this.told.replaceChildren(...(entry.end ? this.ending(entry) : this.parts(entry, told)));
    this.view.tip(null);
  }

  // What can be asked next, in words.
  ask() {
    const { model } = this, { object } = model.pin.where;
    const lines = [];
    if (object?.length === 1 && model.labelsOf()) {
      const labels = model.labelsOf(), p = model.data.member[object[0]];
      const [mine, other] = [labels.labels[p], labels.second[p]].map((label) => model.inWords(model.into(label)));
      lines.push(`In ${mine}, certainty ${number(labels.sure[p])}; else it would go to ${other}.`);
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
    const terms = this.named(entry, told), how = this.how(terms, (k) => this.view.pointer.open(entry, terms[k]));
    const parts = [this.header(entry, told)], whole = make("div", "formula");
    const bare = ["given", "same"].includes(told.case);
    const lead = told.letter && !told.condition ? `${told.letter} = ` : "", plain = (pieces) => textOf(pieces);
    if (plain(told.formula)) whole.append(formula(lead, told.mathml, told.formula, how));
    if (plain(told.filled)) whole.append(formula(lead && "= ", told.filled_mathml, told.filled, how));
    if (!bare && !told.condition && told.said && plain(told.filled) !== told.said) {
      whole.append(make("div", "line result", `= ${told.said}`));
    }
    if (whole.children.length) parts.push(whole);
    if (told.condition) parts.push(make("p", "words rest",
      `${told.letter} = ${told.said} is what fulfils this together with the others; left of it: ${told.rest ?? "–"}.`));
    parts.push(this.sentence(told.words, how));
    if (told.choice) parts.push(this.choice(told.choice));
    if (terms.length) parts.push(this.list(terms, how));
    if (terms.some((term) => term.when === "before")) {
      parts.push(make("p", "note key", "◂ marks values of the step before; all others are of this step."));
    }
    return parts;
  }

  // Where the trail ends: a base label, a dial, a start value, a constant of the equation.
  ending({ end, term }) {
    const whole = make("div", "formula"), line = this.header({}, { letter: term.symbol, meaning: term.meaning });
    whole.append(make("div", "line result", `${term.symbol} = ${term.said}`));
    const same = end.length === 1 && end[0] === term.meaning;
    return [line, ...(term.said ? [whole] : []), ...(same ? [] : [this.sentence(end, this.how([], null))])];
  }

  // What is explained, and at which iteration.
  header(entry, told) {
    const line = make("p", "about"), letter = make("b", "letter");
    if (!told.letter) return line;
    letter.append(...withIndices(told.letter || ""));
    line.append(letter, " ", make("span", "meaning", told.meaning || ""), " ");
    if (told.equation) line.append(make("span", "equation", told.equation), " ");
    const way = entry.name && this.wayTo(entry);
    if (way) line.append(way, " ");
    if (entry.iteration !== undefined) line.append(make("span", "at", `iteration ${entry.iteration}`));
    return line;
  }

  // Where a page tells more of an equation; a page of its own, so that the run stays.
  wayTo({ run, name }) {
    const pattern = this.view.ways?.equation, part = this.model.part(run);
    if (!pattern || !part?.about.key) return null;
    const link = make("a", "link more", "all of its letters");
    link.href = pattern.replace("{method}", encodeURIComponent(part.about.key))
      .replace("{name}", encodeURIComponent(name));
    link.target = "_blank";
    link.rel = "noopener";
    return link;
  }

  // Terms as they are called: what a value is taken over from has the letter of its quantity.
  named(entry, told) {
    const part = this.model.part(entry.run);
    return (told.terms || []).map((term) => (
      term.symbol === "it" && term.to ? { ...term, symbol: part?.quantity(term.to.name)?.letter || "it" } : term));
  }

  how(terms, act) {
    return { terms, act, light: (k, at) => this.light(terms[k], k, at), called: (axis, thing) => (
      this.model.called(axis, thing)) };
  }

  sentence(pieces, how) {
    const line = make("p", "words");
    line.append(...nodes(pieces, how));
    return line;
  }

  // What there was to choose from, as bars from a common zero; the one that was taken is marked.
  choice({ letter, meaning, values, said, names, best, least }) {
    const list = make("ul", "choice"), low = Math.min(...values, 0), wide = Math.max(...values, 0) - low || 1;
    list.setAttribute("aria-label", `${letter}: ${meaning}`);
    values.forEach((value, k) => {
      const item = make("li", k === best ? "best" : ""), bar = make("span", "bar"), from = Math.min(value, 0) - low;
      bar.append(make("i"));
      bar.firstChild.style.left = `${(100 * from) / wide}%`;
      bar.firstChild.style.width = `${(100 * Math.abs(value)) / wide}%`;
      item.append(make("b", "", names[k]), bar, make("span", "said", said[k]));
      if (k === best) item.append(make("span", "mark", least ? "the least" : "the greatest"));
      list.append(item);
    });
    return list;
  }

  // Every term with what it means; a click opens its own why, or says where the trail ends.
  list(terms, how) {
    const list = make("ul", "terms");
    terms.forEach((term, k) => {
      const item = make("li"), open = make("button");
      open.type = "button";
      open.className = `term row t${k % 6}${term.when === "before" ? " before" : ""}`;
      open.setAttribute("aria-label", labelOf(term));
      const symbol = make("b");
      symbol.append(...withIndices(term.symbol));
      open.append(symbol, make("span", "meaning", term.meaning), make("span", "said", term.said || ""));
      open.disabled = !leads(term);
      open.onclick = () => how.act(k);
      open.onfocus = open.onpointerenter = () => how.light(k, open);
      open.onblur = open.onpointerleave = () => how.light(k, null);
      item.append(open);
      list.append(item);
    });
    return list;
  }

  // The same term everywhere in the panel, while one points at it or has it under the keyboard; what it means.
  light(term, k, at) {
    const same = [...this.told.querySelectorAll(`[data-term="${k}"]`), this.told.querySelectorAll(".terms .row")[k]];
    for (const element of same) element?.classList.toggle("lit", Boolean(at));
    const box = at && !at.classList.contains("row") && at.getBoundingClientRect();
    this.view.tip(box ? labelOf(term) : null, box && { clientX: box.left, clientY: box.bottom });
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

const textOf = (pieces) => (pieces || []).map((piece) => piece.t ?? piece).join("");
