// A matrix of pairs against another one, each pair a point, with a number of the run as a line across.

import { make, say } from "../dom.js";
import { EACH, entries } from "../entries.js";
import { pinOf } from "../model.js";
import { counted, number } from "../numbers.js";
import { register } from "../registry.js";
import { niceTicks } from "../ticks.js";
import { Card } from "./card.js";

const NEAR = 12; // pixels

export class AgainstCard extends Card {
  constructor(view, part, picture) {
    const keys = "A point is all pairs that stand there; click it to pin one of them.";
    const { meaning: title, letter, equation } = picture;
    super(view, part, { title, letter, equation, kind: "points", keys });
    this.picture = picture;
    this.note = make("p", "note");
    this.el.append(this.note);
    this.listen();
  }

  tall(width) { return Math.min(width, this.view.stage.most, 400); }
  plot() {
    const left = this.look.small * 3, below = this.look.small * 2.2;
    return { left, top: 10, w: this.width - left - 10, h: this.height - below - 10 };
  }

  other() { return this.run.quantity(this.picture.others[0]); }
  get bar() { return this.run.row(this.model.shown)?.scalars[this.picture.others[1]]; }

  // Where pairs stand: { x, y, count, pair }, those at one place once; found once for each pair of frames.
  stacks() {
    const { model, picture } = this, axes = picture.axes;
    const [own, other] = [picture.name, picture.others[0]].map((name) => this.run.frame(name, model.shown));
    if (!own?.values || !other?.values) return this.found?.dots || null;
    if (this.found?.own === own && this.found.other === other) return this.found.dots;
    const [y, x] = [own, other].map((frame) => entries(model, frame, ...axes));
    if (!x || !y) return null;
    const places = new Map(), { n } = model.data;
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) {
      const at = [x(i, j), y(i, j)], key = at.join();
      const dot = places.get(key);
      if (dot) dot.count++;
      else if (!at.some(Number.isNaN)) places.set(key, { x: at[0], y: at[1], count: 1, pair: [j, i] });
    }
    this.found = { own, other, dots: [...places.values()] };
    return this.found.dots;
  }

  toCanvas({ x, y }) {
    const { left, top, w, h } = this.plot();
    return [left + Math.min(Math.max(x, 0), 1) * w, top + h - Math.min(Math.max(y, 0), 1) * h];
  }

  paint() {
    const ctx = this.begin(), dots = this.model.data.n <= EACH ? this.stacks() : null, { look, bar } = this;
    const { left, top, w, h } = this.plot();
    if (!dots) {
      say(this.note, this.model.data.n > EACH ? `Drawn for up to ${EACH} objects.` : "");
      return;
    }
    ctx.strokeStyle = look.line;
    ctx.fillStyle = look.quiet;
    ctx.lineWidth = 1;
    const line = (from, to) => {
      ctx.beginPath();
      ctx.moveTo(...from);
      ctx.lineTo(...to);
      ctx.stroke();
    };
    for (const tick of niceTicks(0, 1, 3)) {
      const [x, y] = this.toCanvas({ x: tick, y: tick });
      line([left, y], [left + w, y]);
      ctx.textAlign = "right";
      ctx.fillText(number(tick), left - 5, y);
      ctx.textAlign = "center";
      ctx.fillText(number(tick), x, top + h + look.small);
    }
    line(this.toCanvas({ x: 0, y: 0 }), this.toCanvas({ x: 1, y: 1 }));
    this.paintDots(ctx, dots);
    if (bar !== undefined && bar !== null) this.paintBar(ctx, line);
    const linked = dots.reduce((sum, dot) => sum + (dot.y > 0 ? dot.count : 0), 0);
    this.drawn = { bar, linked, places: dots.length };
    const across = `Across: ${this.other().letter}. ${counted(linked, "pair")} linked`;
    say(this.note, `${across}; a point is as large as pairs are many.`);
    this.alt(`${this.picture.meaning}, at iteration ${this.model.shown}: ${counted(dots.length, "place")}, ` +
      `${counted(linked, "pair")} above 0, the line at ${number(bar)}.`);
  }

  paintDots(ctx, dots) {
    const { look, model } = this, most = dots.reduce((max, dot) => Math.max(max, dot.count), 1);
    const pair = (model.pointer || model.pin)?.where.object;
    for (const dot of dots) {
      const [x, y] = this.toCanvas(dot);
      ctx.beginPath();
      ctx.arc(x, y, 2 + 6 * Math.sqrt(dot.count / most), 0, 6.2832);
      ctx.globalAlpha = dot.y > 0 ? 0.6 : 0.3;
      ctx.fillStyle = dot.y > 0 ? look.accent : look.quiet;
      ctx.fill();
      if (pair?.length === 2 && dot === this.dotOf(pair)) {
        ctx.globalAlpha = 1;
        ctx.strokeStyle = look.text;
        ctx.lineWidth = 2;
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  paintBar(ctx, line) {
    const { look, bar } = this, [from, y] = this.toCanvas({ x: 0, y: bar }), [to] = this.toCanvas({ x: 1, y: bar });
    ctx.strokeStyle = ctx.fillStyle = look.text;
    ctx.setLineDash([5, 4]);
    ctx.lineWidth = 1.5;
    line([from, y], [to, y]);
    ctx.setLineDash([]);
    ctx.textAlign = "left";
    const { letter } = this.run.quantity(this.picture.others[1]);
    ctx.fillText(`${letter} = ${number(bar)}`, from + 4, y - look.small * 0.7);
  }

  // The place at which a pair stands.
  dotOf([i, j]) {
    const { model, picture } = this;
    const [y, x] = [picture.name, picture.others[0]].map((name) => (
      entries(model, this.run.frame(name, model.shown), ...picture.axes)));
    return x && y ? this.found?.dots.find((dot) => dot.x === x(i, j) && dot.y === y(i, j)) : undefined;
  }

  nearest(event) {
    const [x, y] = this.at(event), dots = this.found?.dots || [];
    let best = null, least = NEAR;
    for (const dot of dots) {
      const [a, b] = this.toCanvas(dot), far = Math.hypot(a - x, b - y);
      if (far < least) [least, best] = [far, dot];
    }
    return best;
  }

  pinOf(dot) { return dot && pinOf(this.run.id, this.picture.name, this.picture.axes, dot.pair); }

  showReadout(exact) {
    const known = exact?.[this.run.id], [other] = this.picture.others;
    const told = known && known[this.picture.name] !== undefined && known[other] !== undefined;
    say(this.readout, told ? `${number(known[other])} → ${number(known[this.picture.name])}` : "");
  }

  listen() {
    const { frame, view } = this;
    frame.onpointermove = (event) => {
      if (event.pointerType === "mouse") view.pointer.point(this.pinOf(this.nearest(event)), event);
    };
    frame.onpointerleave = () => view.pointer.point(null);
    frame.onpointerup = (event) => {
      const pin = this.pinOf(this.nearest(event));
      if (pin) view.pointer.pin(pin);
    };
  }
}

register("against", (view, part, picture) => new AgainstCard(view, part, picture));
