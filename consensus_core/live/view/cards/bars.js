// One number per base clustering, cluster, object or rank, as bars from a common zero.

import { say } from "../dom.js";
import { pinOf, whereOf } from "../model.js";
import { number } from "../numbers.js";
import { register } from "../registry.js";
import { niceTicks } from "../ticks.js";
import { Card } from "./card.js";

export class BarsCard extends Card {
  constructor(view, part, picture) {
    super(view, part, {
      title: picture.meaning, letter: picture.letter, equation: picture.equation, kind: "bars",
      keys: "Left and right walk through the bars, Enter pins one.",
    });
    this.picture = picture;
    [this.axis] = picture.axes;
    this.listen();
  }

  get share() { return 0.62; }
  tall(width) { return Math.min(Math.max(width * 0.42, 110), 170) + (this.look.small - 13) * 4; }

  plot() {
    const left = this.look.small * 3.4, below = this.look.small * 1.9;
    return { left, top: 8, w: this.width - left - 4, h: this.height - below - 8 };
  }

  get count() { return this.model.things(this.axis, this.held?.values.length || 0); }
  coloured(thing) { return this.model.colourOf(this.axis, thing, this.run); }

  paint() {
    const frame = this.run.frame(this.picture.name, this.model.shown);
    if (frame?.values) this.held = frame;
    const ctx = this.begin(), { held, look } = this;
    if (!held) return;
    const { left, top, w, h } = this.plot(), { values } = held, scale = this.run.scale(this.picture.name, held);
    const low = Math.min(scale.lo, 0), high = Math.max(scale.hi, 0) > low ? Math.max(scale.hi, 0) : low + 1;
    const y = (v) => top + h - ((Math.min(Math.max(v, low), high) - low) / (high - low)) * h;
    ctx.strokeStyle = look.line;
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "right";
    for (const tick of niceTicks(low, high, 3)) {
      ctx.beginPath();
      ctx.moveTo(left, y(tick));
      ctx.lineTo(left + w, y(tick));
      ctx.stroke();
      ctx.fillText(number(tick), left - 5, y(tick));
    }
    this.paintBars(ctx, y);
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "center";
    const mixed = this.axis === "object" || this.axis === "hyperedge";
    const below = this.picture.axisNames[0] + (mixed ? " in the pictures' order" : ` 1 to ${this.count}`);
    ctx.fillText(below, left + w / 2, this.height - look.small * 0.7, w);
    const bars = `${values.length} bars from ${number(Math.min(...values))} to ${number(Math.max(...values))}`;
    this.alt(`${this.picture.letter}, ${this.picture.meaning}, at iteration ${this.model.shown}: ${bars}.`);
  }

  paintBars(ctx, y) {
    const { left, w } = this.plot(), { values } = this.held, { order } = this.model.along(this.axis);
    const wide = w / values.length, gap = wide > 5 ? 1.5 : 0, chosen = this.chosen(), { palette } = this.view;
    const selected = this.axis === "object" && this.model.selected.size ? this.model.selected : null;
    for (let k = 0; k < values.length; k++) {
      const thing = order.at(Math.floor(((k + 0.5) / values.length) * this.count)), colour = this.coloured(thing);
      ctx.fillStyle = colour < 0 ? this.look.accent : palette.cluster(colour, this.model.tints(this.run));
      const faint = selected ? !selected.has(thing) : chosen !== null && chosen !== k;
      ctx.globalAlpha = faint ? 0.5 : 1;
      const from = Math.min(y(values[k]), y(0)), tall = Math.max(Math.abs(y(values[k]) - y(0)), 0.7);
      ctx.fillRect(left + k * wide, from, Math.max(wide - gap, 0.7), tall);
    }
    ctx.globalAlpha = 1;
  }

  place(pin) {
    const where = whereOf([this.axis], pin);
    return where && this.model.along(this.axis).place.at(where[0]);
  }

  // The bar of a thing: several share one where there are more things than bars.
  barOf(place) { return Math.floor(((place + 0.5) / this.count) * this.held.values.length); }

  chosen() {
    const at = this.place(this.model.pointer) ?? this.place(this.model.pin);
    return at === null || !this.held ? null : this.barOf(at);
  }

  valueAt(pin) {
    const at = this.place(pin);
    return at === null || !this.held ? null : this.held.values[this.barOf(at)];
  }

  showReadout(exact) {
    const value = this.valueAt(this.model.pointer || this.model.pin), known = exact?.[this.run.id]?.[this.picture.name];
    const shared = this.held && this.count > this.held.values.length;
    const text = known !== undefined ? number(known) : value === null ? "" : `${shared ? "≈ " : ""}${number(value)}`;
    say(this.readout, text);
  }

  pinAt(place) {
    const at = Math.min(Math.max(place, 0), this.count - 1);
    return pinOf(this.run.id, this.picture.name, [this.axis], [this.model.along(this.axis).order.at(at)]);
  }

  under(x) {
    const { left, w } = this.plot();
    return x < left || x >= left + w || !this.held ? null : this.pinAt(Math.floor(((x - left) / w) * this.count));
  }

  listen() {
    const { frame, view } = this;
    frame.onpointermove = (event) => {
      if (event.pointerType === "mouse") view.pointer.point(this.under(this.at(event)[0]), event);
    };
    frame.onpointerleave = () => view.pointer.point(null);
    frame.onpointerup = (event) => {
      const pin = this.under(this.at(event)[0]);
      if (pin) view.pointer.pin(pin);
    };
    frame.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], { model } = this;
      const now = this.place(model.pointer) ?? this.place(model.pin) ?? -1;
      if (!this.count) return; // its picture has not come: there is no bar to go to
      if (step) view.pointer.point(this.pinAt(now + step));
      else if (event.key === "Enter" && model.pointer) view.pointer.pin(model.pointer);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }
}

register("bars", (view, part, picture) => new BarsCard(view, part, picture));
