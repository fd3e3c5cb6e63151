// The paper's algorithm, line by line: those gone through in the shown iteration are lit. Stepped singly, what a later
// line sets still stands as it was before.

import { button, make, withIndices } from "../dom.js";
import { canMath, mathOf } from "../math.js";

export class AlgorithmPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel algorithm");
    this.el.append(make("h3", "", "The algorithm"));
    this.list = make("ol", "lines");
    this.list.tabIndex = 0; // it may be wider than its place, and what scrolls can be reached by the keyboard
    this.list.setAttribute("aria-label", "The lines of the algorithm");
    const bar = make("div", "steps");
    this.back = button("tool", "‹ line", "One line back", () => this.move(-1));
    this.next = button("tool", "line ›", "One line further", () => this.move(1));
    this.note = make("span", "note");
    bar.append(this.back, this.next, this.note);
    this.el.append(this.list, bar);
    this.line = null; // the line one stands at; null: all of the iteration is done
    this.place = -1; // and in which iteration
  }

  get lines() { return this.view.scene.algorithm; }

  // Lines that are gone through in an iteration.
  lit(place) {
    const { run } = this.view.model, row = run?.row(place), before = run?.row(place - 1);
    return this.lines.map((line, k) => [line, k]).filter(([{ when }]) => (
      place >= 1 && row && (!when || row.scalars[when] !== before?.scalars[when])
    )).map(([, k]) => k);
  }

  // A line further or back; over the ends into the iteration after or before.
  move(by) {
    const { model } = this.view, place = Math.max(model.shown, 0), lit = this.lit(place);
    const now = this.line === null ? lit.length - 1 : lit.indexOf(this.line), next = now + by;
    if (next >= 0 && next < lit.length) return this.stand(place, lit[next]);
    const to = place + by, there = this.lit(to);
    if (to > model.last || to < 0) return undefined;
    return this.stand(to, there.length ? there[by > 0 ? 0 : there.length - 1] : null);
  }

  stand(place, line) {
    const lit = this.lit(place);
    this.line = line === lit.at(-1) ? null : line;
    this.place = place;
    if (place !== this.view.model.shown) this.view.scrub(place);
    else this.view.show(place);
    this.view.repaint();
  }

  // What a later line sets is not set yet.
  get late() {
    if (this.line === null || this.place !== (this.view.wanted ?? this.view.model.shown)) return new Set();
    const done = this.lines.slice(0, this.line + 1).flatMap((line) => line.sets);
    const later = this.lines.slice(this.line + 1).flatMap((line) => line.sets);
    return new Set(later.filter((name) => !done.includes(name)));
  }

  paint() {
    const { lines, view } = this, { shown } = view.model;
    if (this.place !== (view.wanted ?? shown)) this.line = null;
    this.write(lines);
    const lit = this.lit(shown), current = this.line ?? lit.at(-1);
    lines.forEach((line, k) => {
      const item = this.list.children[k], before = this.line !== null && k > this.line;
      item.classList.toggle("lit", lit.includes(k) && !before);
      item.classList.toggle("now", this.line !== null && k === this.line);
      if (k === current && lit.length) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.back.disabled = shown <= 0;
    this.next.disabled = shown >= view.model.last && this.line === null;
    const where = shown < 1 ? "Iteration 0: where the run starts." : this.line === null
      ? `Iteration ${shown}: these lines were gone through.`
      : `Iteration ${shown}, up to this line; what comes below is still as before.`;
    if (this.note.textContent !== where) this.note.textContent = where;
  }

  write(lines) {
    const key = JSON.stringify(lines);
    if (key === this.written) return;
    this.written = key;
    this.list.replaceChildren(...lines.map(({ math, words }) => {
      const item = make("li");
      for (const one of math) {
        const holder = make("span", "math"), set = canMath() ? mathOf(one) : null;
        if (!set) continue;
        set.setAttribute("display", "inline");
        set.setAttribute("displaystyle", "true");
        holder.append(set);
        item.append(holder);
      }
      const said = make("span", "said");
      said.append(...withIndices(words));
      item.append(said);
      return item;
    }));
  }
}
