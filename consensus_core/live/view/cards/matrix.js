// A matrix or incidence: a picture on a canvas, label strips beside it, the same zoom for all.

import { nothingIn } from "../colours.js";
import { cut } from "../dom.js";
import { CLUSTER, pinOf, whereOf } from "../model.js";
import { grouped, number } from "../numbers.js";
import { register } from "../registry.js";
import { niceTicks } from "../ticks.js";
import { valueOf } from "../wire.js";
import { Card, Legend } from "./card.js";

const STRIP = 7, GAP = 2; // pixels of a strip of labels, and between two

export class MatrixCard extends Card {
  constructor(view, part, picture) {
    super(view, part, {
      title: picture.meaning, letter: picture.letter, equation: picture.equation, kind: "matrix",
      keys: "Arrow keys move the cross-hair, Enter pins an entry, plus and minus zoom, 0 shows everything.",
    });
    this.picture = picture;
    this.square = picture.axes[0] === "object" && picture.axes[1] === "object";
    this.legend = new Legend(this);
    this.image = document.createElement("canvas");
    this.listen();
  }

  get grid() { return true; } // stands among the large pictures
  get ramp() { return this.view.palette.ramp(this.picture.diverging, this.look.dark); }
  get strips() { return 1 + (this.model.data.truth ? 1 : 0); }
  get margin() { return Math.round(this.look.small * 2.7); } // for names and numbers of rows
  tall(width) { return Math.min(width, this.view.stage.most) - this.margin; }

  // The place of the picture within the canvas.
  plot() {
    const inset = this.strips * (STRIP + GAP), left = this.margin + inset;
    const top = { object: inset, hyperedge: STRIP + GAP }[this.picture.axes[1]] ?? 1, h = this.height - top;
    return { left, top, w: this.square ? h : this.width - left, h };
  }

  // The part of the picture in view, in things along each side: from, to, of.
  span() {
    const { data } = this.model, zoom = this.model.window(), { axes } = this.picture;
    const side = (axis, from, to, k) => (axis === "object" ? [from, to, data.n] : [0, this.things(k), this.things(k)]);
    return { rows: side(axes[0], zoom.r0, zoom.r1, 0), cols: side(axes[1], zoom.c0, zoom.c1, 1) };
  }

  get shape() { return this.held ? [this.held.r, this.held.c] : [1, 1]; }
  things(side) { return this.model.things(this.picture.axes[side], this.shape[side]); }
  scale(frame) { return this.run.scale(this.picture.name, frame); }

  paint() {
    const frame = this.run.frame(this.picture.name, this.model.shown);
    if (frame?.values) this.hold(frame);
    const missing = !this.held || frame?.k === "none";
    const ctx = this.begin(), { left, top, w, h } = this.plot(), { look } = this;
    const nothing = !missing && nothingIn(this.held);
    if (missing || nothing) {
      if (missing) ctx.fillStyle = look.soft;
      if (missing) ctx.fillRect(left, top, w, h);
      ctx.strokeStyle = look.line;
      ctx.strokeRect(left + 0.5, top + 0.5, w - 1, h - 1);
      ctx.fillStyle = look.quiet;
      ctx.textAlign = "center";
      const said = nothing ? "all 0" : frame?.k === "none" ? "nothing to show at this iteration" : "…";
      ctx.fillText(said, left + w / 2, top + h / 2);
      if (missing) return;
    } else this.paintImage(ctx);
    this.paintStrips(ctx);
    this.paintBounds(ctx);
    this.paintMarks(ctx);
    this.showLegend(this.pointed());
    const { lo, hi, log } = this.held, end = (x) => number(log ? 10 ** x : x);
    this.alt(
      `${this.picture.letter}, ${this.picture.meaning}, at iteration ${this.model.shown}: ${this.things(0)} by ` +
      `${this.things(1)}, ${nothing ? "all 0" : `values from ${end(lo)} to ${end(hi)}`}.`,
    );
  }

  paintImage(ctx) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { held } = this;
    const sx = (cols[0] / cols[2]) * held.c, sw = ((cols[1] - cols[0]) / cols[2]) * held.c;
    const sy = (rows[0] / rows[2]) * held.r, sh = ((rows[1] - rows[0]) / rows[2]) * held.r;
    ctx.imageSmoothingEnabled = sw > w * this.dots;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.image, sx, sy, sw, sh, left, top, w, h);
    this.paintDetail(ctx, rows, cols);
  }

  // The picture in colours; kept until another frame is shown, so nothing is ever blank.
  hold(frame) {
    const key = this.colouring(frame);
    this.stands = this.model.standing;
    if (this.held === frame && this.coloured === key) return;
    this.held = frame;
    this.coloured = key;
    if (this.image.width !== frame.c || this.image.height !== frame.r) {
      this.image.width = frame.c;
      this.image.height = frame.r;
    }
    this.image.getContext("2d").putImageData(this.inColours(frame), 0, 0);
    this.codes = frame.values;
  }

  colouring(frame) {
    const { lo, hi } = this.scale(frame);
    return `${lo} ${hi} ${this.ramp} ${this.view.stretched}`;
  }

  inColours(frame) {
    const table = this.view.palette.lookup(this.ramp, frame, this.scale(frame), this.view.stretched);
    const pixels = new ImageData(frame.c, frame.r), words = new Uint32Array(pixels.data.buffer), codes = frame.values;
    for (let k = 0; k < codes.length; k++) words[k] = table[codes[k]];
    return pixels;
  }

  sharpen(frame) {
    this.detail = frame;
    this.detail.image = null;
  }

  // The sharper picture of the part in view, where it is of this place and order.
  get sharp() {
    const { detail, model } = this;
    return detail && model.zoom && detail.i === model.shown && detail.order === model.rowsOf ? detail : null;
  }

  paintDetail(ctx, rows, cols) {
    const detail = this.sharp;
    if (!detail) return;
    const { left, top, w, h } = this.plot(), key = this.colouring(detail);
    if (!detail.image || detail.coloured !== key) {
      detail.image = new OffscreenCanvas(detail.c, detail.r);
      detail.coloured = key;
      detail.image.getContext("2d").putImageData(this.inColours(detail), 0, 0);
    }
    const [r0, r1, c0, c1] = detail.window, tall = h / (rows[1] - rows[0]), wide = w / (cols[1] - cols[0]);
    const across = this.square ? [left + (c0 - cols[0]) * wide, (c1 - c0) * wide] : [left, w];
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, w, h);
    ctx.clip();
    ctx.imageSmoothingEnabled = false;
    ctx.clearRect(across[0], top + (r0 - rows[0]) * tall, across[1], (r1 - r0) * tall);
    ctx.drawImage(detail.image, across[0], top + (r0 - rows[0]) * tall, across[1], (r1 - r0) * tall);
    ctx.restore();
  }

  paintStrips(ctx) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { model, run } = this;
    const { palette } = this.view, kinds = model.data.truth ? ["label", "classColour"] : ["label"];
    const own = model.tints(run);
    kinds.forEach((kind, k) => {
      const x = left - (k + 1) * (STRIP + GAP), y = top - (k + 1) * (STRIP + GAP);
      if (this.picture.axes[0] === "object") for (const [a, b, l] of model.stretches(kind, rows, run)) {
        ctx.fillStyle = palette.cluster(l, own);
        ctx.fillRect(x, top + a * h, STRIP, Math.max((b - a) * h, 0.5));
      }
      if (this.picture.axes[1] === "object") for (const [a, b, l] of model.stretches(kind, cols, run)) {
        ctx.fillStyle = palette.cluster(l, own);
        ctx.fillRect(left + a * w, y, Math.max((b - a) * w, 0.5), STRIP);
      }
    });
    if (this.picture.axes[1] === "hyperedge") this.paintOwners(ctx);
  }

  // What the columns are: the consensus cluster they mostly hold, or else (alternating) whose clusters they are.
  paintOwners(ctx) {
    const { left, top, w } = this.plot(), { model, look, run } = this, { order } = model.along("hyperedge");
    const count = this.things(1), owned = model.order === "consensus", { starts } = model.data;
    const clustering = (h) => starts.findLastIndex((start) => start <= h);
    const key = (k) => (owned ? model.owner(order.at(k), run) : clustering(order.at(k)));
    const own = model.tints(run);
    let from = 0, shade = 0;
    for (let k = 1; k <= count; k++) {
      if (k < count && key(k) === key(from)) continue;
      ctx.fillStyle = owned ? this.view.palette.cluster(key(from), own) : shade++ % 2 ? look.quiet : look.line;
      ctx.fillRect(left + (from / count) * w, top - STRIP - GAP, ((k - from) / count) * w - 0.5, STRIP);
      from = k;
    }
  }

  paintBounds(ctx) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { model, look, run } = this;
    const cell = h / (rows[1] - rows[0]), line = look.small, axis = this.picture.axes[0];
    ctx.textAlign = "right";
    const edge = left - this.strips * (STRIP + GAP) - 4, { order } = model.along(axis);
    if (cell >= line) {
      ctx.fillStyle = look.text;
      for (let k = Math.ceil(rows[0] - 0.5); k < rows[1] - 0.4; k++) {
        ctx.fillText(cut(model.called(axis, order.at(k), run), 4), edge, top + (k + 0.5 - rows[0]) * cell);
      }
      return;
    }
    if (axis !== "object" || model.order !== "consensus") {
      ctx.fillStyle = look.quiet;
      for (const tick of niceTicks(rows[0], rows[1], 5)) {
        const y = top + (tick - rows[0]) * cell;
        if (y > top + 4 && y < top + h - 4) ctx.fillText(grouped(Math.round(tick)), edge, y);
      }
      return;
    }
    ctx.strokeStyle = "rgba(255,255,255,.28)";
    ctx.lineWidth = 1;
    ctx.beginPath();
    let last = -99;
    ctx.font = `600 ${line}px ${look.font}`;
    for (const [a, b, l] of model.stretches("label", rows, run)) {
      const y = top + ((a + b) / 2) * h;
      if (y - last >= line) {
        ctx.fillStyle = this.view.palette.ink(l, look.dark, model.tints(run));
        ctx.fillText(cut(model.cluster(l, run), 4), edge, y);
        last = y;
      }
      if (b < 0.9999) { ctx.moveTo(left, top + b * h); ctx.lineTo(left + w, top + b * h); }
    }
    if (this.square) for (const [, b] of model.stretches("label", cols, run)) {
      if (b < 0.9999) { ctx.moveTo(left + b * w, top); ctx.lineTo(left + b * w, top + h); }
    }
    ctx.stroke();
  }

  // The selection, the pinned entry, the one pointed at, and the one a term of an equation comes from.
  paintMarks(ctx) {
    const { model } = this, { left, top, w, h } = this.plot();
    ctx.save();
    ctx.beginPath();
    ctx.rect(left - 3, top - 3, w + 6, h + 6);
    ctx.clip();
    this.paintSelection(ctx);
    this.cross(ctx, model.pointer, "#ffffff", [2, 3]);
    this.cross(ctx, model.pin, "#ff9df5", []);
    ctx.restore();
    if (this.box) {
      const [x0, y0, x1, y1] = this.box;
      ctx.strokeStyle = "#fff";
      ctx.lineWidth = 1.5;
      ctx.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    }
  }

  paintSelection(ctx) {
    const { model } = this, { rows, cols } = this.span(), { left, top, w, h } = this.plot();
    if (!model.selected.size) return;
    const { place } = model.along("object"), cell = h / (rows[1] - rows[0]), wide = w / (cols[1] - cols[0]);
    ctx.fillStyle = this.look.accent;
    const stripe = (x, y, width, height, edge) => {
      ctx.globalAlpha = 0.22;
      ctx.fillRect(x, y, width, height);
      ctx.globalAlpha = 1;
      ctx.fillRect(...edge);
    };
    for (const object of model.selected) {
      const y = top + (place[object] - rows[0]) * cell, x = left + (place[object] - cols[0]) * wide;
      const tall = Math.max(cell, 1.5), broad = Math.max(wide, 1.5);
      if (this.picture.axes[0] === "object") stripe(left, y, w, tall, [left - 3, y, 4, tall]);
      if (this.picture.axes[1] === "object") stripe(x, top, broad, h, [x, top - 3, broad, 4]);
    }
  }

  // A cross-hair at an entry; lines where the pin names a row or a column only.
  cross(ctx, pin, colour, dash) {
    if (!pin) return;
    const { left, top, w, h } = this.plot(), spans = Object.values(this.span());
    const at = this.placeOf(pin) || this.partly(pin);
    const lines = at.map((place, side) => {
      const [from, to] = spans[side];
      return place === null ? null : (side ? left : top) + ((place + 0.5 - from) / (to - from)) * (side ? w : h);
    });
    for (const [style, width] of [["rgba(0,0,0,.55)", 3], [colour, 1.25]]) {
      ctx.strokeStyle = style;
      ctx.lineWidth = width;
      ctx.setLineDash(dash);
      ctx.beginPath();
      if (lines[0] !== null) { ctx.moveTo(left, lines[0]); ctx.lineTo(left + w, lines[0]); }
      if (lines[1] !== null) { ctx.moveTo(lines[1], top); ctx.lineTo(lines[1], top + h); }
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  // [row, column] of an entry, in things along the sides; null when the pin does not name one.
  placeOf(pin) {
    const { axes } = this.picture, where = whereOf(axes, pin);
    return where && where.map((at, side) => this.model.along(axes[side]).place.at(at));
  }

  // The row and the column of the one thing a pin names along a side; null where it names none.
  partly(pin) {
    return this.picture.axes.map((axis) => {
      const list = pin.where[axis];
      return list?.length === 1 ? this.model.along(axis).place.at(list[0]) : null;
    });
  }

  // The value of the pixel at a pin or pointer.
  valueAt(pin) {
    const at = this.placeOf(pin), { held } = this;
    if (!at || !held || !this.codes || this.stands !== this.model.standing) return null; // rows have just moved
    const sharp = this.valueInDetail(at);
    if (sharp !== undefined) return sharp;
    const pixel = (side) => Math.min(Math.floor(((at[side] + 0.5) / this.things(side)) * this.shape[side]),
      this.shape[side] - 1);
    return valueOf(held, this.codes[pixel(0) * held.c + pixel(1)]);
  }

  // The value the sharper picture has there; undefined where it says nothing.
  valueInDetail(at) {
    const detail = this.sharp;
    if (!detail) return undefined;
    const [r0, r1, c0, c1] = detail.window;
    if (at[0] < r0 || at[0] >= r1 || (this.square && (at[1] < c0 || at[1] >= c1))) return undefined;
    const y = Math.floor(((at[0] + 0.5 - r0) / (r1 - r0)) * detail.r);
    const across = this.square ? (at[1] + 0.5 - c0) / (c1 - c0) : (at[1] + 0.5) / this.things(1);
    return valueOf(detail, detail.values[y * detail.c + Math.floor(across * detail.c)]);
  }

  pointed() { return this.valueAt(this.model.pointer || this.model.pin) ?? NaN; }

  // Exact where the server has told it, else what the picture's pixel says.
  showReadout(exact) {
    const value = this.valueAt(this.model.pointer || this.model.pin), now = !this.run.late.has(this.picture.name);
    const known = now ? exact?.[this.run.id]?.[this.picture.name] : undefined;
    const text = known !== undefined ? number(known) : value === null ? "" : `≈ ${number(value)}`;
    if (this.readout.textContent !== text) this.readout.textContent = text;
    if (this.held) this.showLegend(known ?? value ?? NaN);
  }

  showLegend(value) {
    const { held, picture, ramp } = this, scale = this.scale(held);
    const flat = held.lo === held.hi && scale.lo === scale.hi;
    const { left } = this.plot();
    if (this.legendLeft !== left) this.legend.el.style.marginLeft = `${(this.legendLeft = left)}px`;
    this.legend.show({
      scale, log: held.log, span: picture.span, ramp, stretched: this.view.stretched, value,
      empty: nothingIn(held) ? "all 0" : flat ? `all ${number(held.log ? 10 ** held.lo : held.lo)}` : "",
    });
  }

  // What lies under a point of the canvas, as a pin: an entry, or (on a strip) one object.
  under(x, y) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { axes } = this.picture;
    if (!this.held || this.stands !== this.model.standing || y < 0 || y >= top + h || x >= left + w) return null;
    if (x < left - this.strips * (STRIP + GAP)) return null;
    const at = [rows[0] + ((y - top) / h) * (rows[1] - rows[0]), cols[0] + ((x - left) / w) * (cols[1] - cols[0])];
    if (x < left && y < top) return null;
    if (x < left) return axes[0] === "object" ? this.alone(0, at[0]) : null;
    if (y < top) return axes[1] === "object" ? this.alone(1, at[1]) : null;
    return this.pinAt(at.map(Math.floor));
  }

  alone(side, at) { return pinOf(this.run.id, CLUSTER, ["object"], [this.thingAt(side, Math.floor(at))]); }
  thingAt(side, at) {
    const held = Math.min(Math.max(at, 0), this.things(side) - 1);
    return this.model.along(this.picture.axes[side]).order.at(held);
  }

  pinAt(at) {
    const { axes, name } = this.picture;
    return pinOf(this.run.id, name, axes, axes.map((_, side) => this.thingAt(side, at[side])));
  }

  listen() {
    const { frame, view } = this;
    let from = null;
    frame.onpointerdown = (event) => {
      if (event.button) return;
      from = [...this.at(event), event.pointerType];
    };
    frame.onpointermove = (event) => {
      const [x, y] = this.at(event);
      if (from && event.pointerType === "mouse" && Math.hypot(x - from[0], y - from[1]) > 5) {
        if (event.shiftKey && this.model.zoom) { this.pan(from, x, y); from = [x, y, from[2]]; }
        else { this.box = [from[0], from[1], x, y]; view.repaint(); }
        try { frame.setPointerCapture(event.pointerId); } catch { /* the pointer is gone already */ }
        return;
      }
      if (event.pointerType === "mouse") view.pointer.point(this.under(x, y), event);
    };
    frame.onpointerup = (event) => {
      const [x, y] = this.at(event);
      if (this.box) {
        const { box } = this;
        this.box = null;
        this.zoomTo(box);
      } else if (from) {
        const pin = this.under(x, y);
        if (pin) view.pointer.pin(pin);
      }
      from = null;
    };
    frame.onpointerleave = () => view.pointer.point(null);
    frame.ondblclick = () => view.pointer.zoomTo(null);
    frame.onwheel = (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const [x, y] = this.at(event), { left, top, w, h } = this.plot();
      view.pointer.zoomBy(event.deltaY < 0 ? 1 / 1.25 : 1.25, (y - top) / h, (x - left) / w);
    };
    frame.onkeydown = (event) => this.keys(event);
  }

  keys(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const { view, model } = this, { pointer } = view, big = event.shiftKey ? 10 : 1;
    if (move) {
      const { rows, cols } = this.span(), middle = ([from, to]) => Math.floor((from + to) / 2);
      const at = this.placeOf(model.pointer) || this.placeOf(model.pin) || [middle(rows), middle(cols)];
      const to = this.pinAt([at[0] + move[0] * big, at[1] + move[1] * big]);
      pointer.point(to);
      this.follow(this.placeOf(to));
    } else if (event.key === "Enter") {
      if (model.pointer) pointer.pin(model.pointer);
    } else if (event.key === "+" || event.key === "=") pointer.zoomBy(1 / 1.5);
    else if (event.key === "-") pointer.zoomBy(1.5);
    else if (event.key === "0") pointer.zoomTo(null);
    else if (event.key === "Escape" && model.pin) pointer.pin(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The part in view moves along with the cross-hair.
  follow([row, col]) {
    const { zoom } = this.model, { axes } = this.picture;
    if (!zoom) return;
    const over = (at, from, to) => Math.min(at - from, 0) + Math.max(at + 1 - to, 0);
    const dr = axes[0] === "object" ? over(row, zoom.r0, zoom.r1) : 0;
    const dc = axes[1] === "object" ? over(col, zoom.c0, zoom.c1) : 0;
    if (!dr && !dc) return;
    this.view.pointer.zoomTo({ r0: zoom.r0 + dr, r1: zoom.r1 + dr, c0: zoom.c0 + dc, c1: zoom.c1 + dc });
  }

  // A box becomes a square: cells keep their shape.
  zoomTo([x0, y0, x1, y1]) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { pointer } = this.view;
    const row = (y) => rows[0] + ((y - top) / h) * (rows[1] - rows[0]);
    const col = (x) => cols[0] + ((x - left) / w) * (cols[1] - cols[0]);
    const [r0, r1] = [row(Math.min(y0, y1)), row(Math.max(y0, y1))];
    if (!this.square) return pointer.zoomTo({ r0, r1, c0: r0, c1: r1 });
    const [c0, c1] = [col(Math.min(x0, x1)), col(Math.max(x0, x1))], half = Math.max(r1 - r0, c1 - c0) / 2;
    const around = (a, b) => [(a + b) / 2 - half, (a + b) / 2 + half];
    const [r, c] = [around(r0, r1), around(c0, c1)];
    return pointer.zoomTo({ r0: r[0], r1: r[1], c0: c[0], c1: c[1] });
  }

  pan(from, x, y) {
    const { zoom } = this.model, { w, h } = this.plot();
    const dr = ((from[1] - y) / h) * (zoom.r1 - zoom.r0), dc = ((from[0] - x) / w) * (zoom.c1 - zoom.c0);
    this.view.pointer.zoomTo({ r0: zoom.r0 + dr, r1: zoom.r1 + dr, c0: zoom.c0 + dc, c1: zoom.c1 + dc });
  }
}

register("matrix", (view, part, picture) => new MatrixCard(view, part, picture));
