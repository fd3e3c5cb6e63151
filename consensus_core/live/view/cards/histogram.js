// How many pairs have how much of a quantity, counted by the core over all pairs of two objects.

import { say } from "../dom.js";
import { counted, grouped, number } from "../numbers.js";
import { register } from "../registry.js";
import { niceTicks } from "../ticks.js";
import { Card } from "./card.js";

export class HistogramCard extends Card {
  constructor(view, part, picture) {
    const keys = "Left and right walk through the bars.";
    const { meaning: title, letter, equation } = picture;
    super(view, part, { title, letter, equation, kind: "bars", keys });
    this.picture = picture;
    this.pointed = null;
    this.listen();
  }

  get share() { return 0.66; }
  tall(width) { return Math.min(Math.max(width * 0.46, 120), 190) + (this.look.small - 13) * 4; }
  plot() {
    const left = this.look.small * 4, below = this.look.small * 1.9;
    return { left, top: 8, w: this.width - left - 4, h: this.height - below - 8 };
  }

  // The numbers the histogram moves with, at the place shown.
  beside() {
    const row = this.run.row(this.model.shown), { curves } = this.run.about;
    return this.picture.others.map((name) => curves.find((curve) => curve.name === name)).filter(Boolean)
      .map(({ name, letter }) => `${letter} = ${number(row?.scalars[name])}`).join(", ");
  }

  paint() {
    const { model, look, picture } = this, frame = this.run.frame(picture.needs[0], model.shown);
    if (frame?.values) this.held = frame;
    const ctx = this.begin();
    if (!this.held) return;
    const { values } = this.held, { left, top, w, h } = this.plot(), wide = w / values.length;
    this.drawn = Array.from(values);
    const most = Math.max(...values, 1), y = (count) => top + h - (count / most) * h, [low, high] = picture.span;
    ctx.fillStyle = look.quiet;
    ctx.strokeStyle = look.line;
    ctx.textAlign = "right";
    for (const tick of niceTicks(0, most, 3)) {
      ctx.beginPath();
      ctx.moveTo(left, y(tick));
      ctx.lineTo(left + w, y(tick));
      ctx.stroke();
      ctx.fillText(grouped(tick), left - 5, y(tick));
    }
    values.forEach((count, k) => {
      ctx.fillStyle = look.accent;
      ctx.globalAlpha = this.pointed === null || this.pointed === k ? 1 : 0.5;
      const tall = count ? Math.max(top + h - y(count), 1.5) : 0; // a single pair is seen, too
      ctx.fillRect(left + k * wide, top + h - tall, Math.max(wide - 1.5, 0.7), tall);
    });
    ctx.globalAlpha = 1;
    ctx.fillStyle = look.quiet;
    const below = [[number(low), 0, "left"], [this.beside(), 0.5, "center"], [number(high), 1, "right"]];
    for (const [text, at, align] of below) {
      ctx.textAlign = align;
      ctx.fillText(text, left + at * w, this.height - look.small * 0.7);
    }
    this.alt(`${picture.letter}, ${picture.meaning}, at iteration ${model.shown}: ${this.beside()}; ` +
      `${grouped(values.at(-1))} of ${grouped(values.reduce((a, b) => a + b, 0))} pairs in the last step.`);
  }

  step(k) {
    const [low, high] = this.picture.span, one = (high - low) / this.held.values.length;
    return [low + k * one, low + (k + 1) * one];
  }

  showReadout() {
    const { pointed, held } = this;
    if (pointed === null || !held) return say(this.readout, "");
    const [from, to] = this.step(pointed).map((x) => number(x));
    return say(this.readout, `${from} – ${to}: ${counted(held.values[pointed], "pair")}`);
  }

  over(event) {
    const { left, w } = this.plot(), [x] = this.at(event), { length } = this.held?.values || [];
    return !length || x < left || x >= left + w ? null : Math.floor(((x - left) / w) * length);
  }

  point(k) {
    this.pointed = k;
    this.view.repaint();
  }

  listen() {
    const { frame } = this;
    frame.onpointermove = frame.onpointerup = (event) => this.point(this.over(event));
    frame.onpointerleave = () => this.point(null);
    frame.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step || !this.held) return;
      const last = this.held.values.length - 1;
      this.point(this.pointed === null ? (step > 0 ? 0 : last) : Math.min(Math.max(this.pointed + step, 0), last));
      event.preventDefault();
      event.stopPropagation();
    };
  }
}

register("histogram", (view, part, picture) => new HistogramCard(view, part, picture));
