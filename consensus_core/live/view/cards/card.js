// A picture's frame: title, meaning, what is under the pointer, the canvas, the colour scale.

import { standing } from "../colours.js";
import { make, say, withIndices } from "../dom.js";
import { number } from "../numbers.js";
import { logTicks, niceTicks } from "../ticks.js";

const SIGN = 0.042; // of the colour bar's length, what a sign of a number beside it takes
const APART = 0.04; // and what is left between two numbers

export class Card {
  constructor(view, part, { title, letter = "", meaning = "", equation = "", kind = "", keys = "" }) {
    this.view = view;
    this.part = part; // the run, or the difference of two, that it shows; null for the first run, whichever it is
    this.el = make("figure", `card ${kind}`);
    const head = make("figcaption");
    if (letter) {
      const symbol = make("span", "letter");
      symbol.append(...withIndices(letter));
      head.append(symbol, " ");
    }
    this.owner = make("span", "of");
    this.heading = make("span", "title", title);
    head.append(this.heading);
    if (equation) head.append(" ", make("span", "equation", equation));
    head.append(" ", this.owner);
    this.readout = make("span", "readout");
    head.append(this.readout);
    head.title = [meaning || title, equation].filter(Boolean).join(" ");
    this.frame = make("div", "frame");
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", `${letter} ${title}. ${keys}`.trim());
    this.canvas = make("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", title);
    this.frame.append(this.canvas);
    this.el.append(head, this.frame);
    this.ctx = this.canvas.getContext("2d");
    this.width = this.height = 0;
  }

  get share() { return 1.05; } // of a column's width it is high, about
  get model() { return this.view.model; }
  get look() { return this.view.look; }
  get run() { return this.part || this.model.run; }

  // Where several runs are on the stage, a card says whose it is.
  name(text) { say(this.owner, text); }

  // Fits the canvas to its place; asking for a size makes the browser lay out the page, so only when sizes may have
  // changed.
  fit() {
    if (this.width && this.sized === this.view.sizes) return;
    this.sized = this.view.sizes;
    const width = Math.max(Math.round(this.frame.clientWidth), 1), height = Math.max(Math.round(this.tall(width)), 1);
    const dots = Math.min(window.devicePixelRatio || 1, 2); // of the screen in a pixel
    if (width === this.width && height === this.height && dots === this.dots) return;
    Object.assign(this, { width, height, dots });
    this.canvas.width = width * dots;
    this.canvas.height = height * dots;
    this.canvas.style.height = `${height}px`;
  }

  begin() {
    this.fit();
    const { ctx } = this;
    ctx.setTransform(this.dots, 0, 0, this.dots, 0, 0);
    ctx.clearRect(0, 0, this.width, this.height);
    ctx.font = `${this.look.small}px ${this.look.font}`;
    ctx.textBaseline = "middle";
    return ctx;
  }

  tall(width) { return width; }
  alt(text) { if (text !== this.said) { this.said = text; this.canvas.setAttribute("aria-label", text); } }
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

// The colour scale under a picture: true ticks, a mark at the value pointed at, and what the scale leaves out.
export class Legend {
  constructor(card) {
    this.card = card;
    this.el = make("div", "legend");
    this.bar = make("div", "ramp");
    this.mark = make("i");
    this.mark.hidden = true;
    this.bar.append(this.mark);
    this.ticks = make("div", "ticks");
    this.note = make("p", "note");
    this.el.append(this.bar, this.ticks, this.note);
    card.el.append(this.el);
  }

  show({ scale, log, span, ramp, stretched, value, empty }) {
    const { palette } = this.card.view, key = JSON.stringify([scale, log, ramp, stretched, empty]);
    if (key !== this.key) {
      this.key = key;
      this.bar.style.background = empty ? "none" : palette.gradient(ramp);
      this.el.classList.toggle("nothing", Boolean(empty));
      const ticks = empty ? [] : ticksOf(scale, log, ramp !== "sequential", stretched);
      this.ticks.replaceChildren(...ticks.map(({ at, text }, k) => {
        const tick = make("span", k === 0 ? "first" : k === ticks.length - 1 ? "last" : "", text);
        tick.style.left = `${100 * at}%`;
        return tick;
      }));
      say(this.note, empty || noteOn(scale, span, log));
    }
    const at = log ? Math.log10(Math.max(value, 1e-300)) : value;
    const t = standing(at, scale, ramp !== "sequential", stretched);
    this.mark.hidden = Number.isNaN(t) || Boolean(empty);
    if (!this.mark.hidden) this.mark.style.left = `${100 * t}%`;
  }
}

// Numbers along a colour bar, each where its colour stands: both ends, and round ones between.
export function ticksOf(scale, log, diverging, stretched) {
  const { lo, hi } = scale, written = (x) => number(log ? 10 ** x : x);
  const place = (x) => standing(x, scale, diverging, stretched);
  if (!(hi > lo)) return [{ at: 0, text: written(lo) }];
  const first = { at: 0, text: `${scale.under ? "≤ " : ""}${written(lo)}` };
  const last = { at: 1, text: `${scale.over ? "≥ " : ""}${written(hi)}` };
  const between = log ? logTicks(lo, hi).map(Math.log10) : niceTicks(lo, hi, 4);
  const kept = [], wide = (text) => SIGN * text.length;
  const free = (at, text) => [...kept, first, last].every((tick) => {
    const room = tick === first || tick === last ? wide(tick.text) : wide(tick.text) / 2;
    return Math.abs(tick.at - at) >= room + wide(text) / 2 + APART;
  });
  for (const x of diverging && lo < 0 ? [0, ...between] : between) {
    const at = place(x), text = written(x);
    if (free(at, text)) kept.push({ at, text });
  }
  return [first, ...kept.sort((a, b) => a.at - b.at), last];
}

// Where the colours do not go over all values there can be.
function noteOn(scale, span, log) {
  const parts = [];
  const whole = span && !log && scale.lo <= span[0] && scale.hi >= span[1];
  if (span && !log && !whole) parts.push(`of ${number(span[0])} to ${number(span[1])} possible`);
  if (scale.under || scale.over) parts.push("a few values beyond");
  return parts.join(", ");
}
