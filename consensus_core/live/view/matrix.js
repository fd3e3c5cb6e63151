// A matrix or incidence: a picture on a canvas, label strips beside it, the same zoom for all.

const STRIP = 7, GAP = 2, TICKS = 34;

class MatrixCard extends Card {
  constructor(view, picture) {
    super(view, {
      title: picture.meaning, letter: picture.letter, equation: picture.equation, kind: "matrix", meaning: picture.meaning,
      keys: "Arrow keys move the cross-hair, Enter pins an entry, plus and minus zoom, 0 shows everything.",
    });
    this.picture = picture;
    this.square = picture.axes[0] === "object" && picture.axes[1] === "object";
    this.legend = new Legend(this);
    this.image = document.createElement("canvas");
    this.listen();
  }

  get model() { return this.view.model; }
  get ramp() { return !this.picture.diverging ? "sequential" : this.view.look.dark ? "divergingDark" : "diverging"; }
  get strips() { return 1 + (this.model.data.truth ? 1 : 0); }
  tall(width) { return Math.min(width, 640) - TICKS; }

  // The place of the picture within the canvas.
  plot() {
    const inset = this.strips * (STRIP + GAP), left = TICKS + inset, h = this.height - inset;
    return { left, top: inset, w: this.square ? h : this.width - left, h };
  }

  // The part of the picture in view, in things along each side.
  span() {
    const { data } = this.model, zoom = this.model.window(), shape = this.shape;
    const rows = this.picture.axes[0] === "object" ? [zoom.r0, zoom.r1, data.n] : [0, shape[0], shape[0]];
    const cols = this.picture.axes[1] === "object" ? [zoom.c0, zoom.c1, data.n] : [0, this.things(1), this.things(1)];
    return { rows, cols };
  }

  get shape() { return this.held ? [this.held.r, this.held.c] : [1, 1]; }
  things(side) {
    const axis = this.picture.axes[side], { data, about } = this.model;
    if (axis === "object") return data.n;
    if (axis === "hyperedge") return about.hyperedges.length || this.shape[side];
    if (axis === "clustering") return data.m;
    return this.shape[side];
  }

  paint() {
    const frame = this.model.frame(this.picture.name);
    if (frame?.values) this.hold(frame);
    const empty = !this.held || frame?.k === "none";
    const ctx = this.begin(), { left, top, w, h } = this.plot(), { look } = this.view;
    if (empty) {
      ctx.fillStyle = look.soft;
      ctx.fillRect(left, top, w, h);
      ctx.fillStyle = look.quiet;
      ctx.textAlign = "center";
      ctx.fillText(frame?.k === "none" ? "nothing to show at this iteration" : "…", left + w / 2, top + h / 2);
      return;
    }
    const { rows, cols } = this.span(), held = this.held;
    const sx = (cols[0] / cols[2]) * held.c, sw = ((cols[1] - cols[0]) / cols[2]) * held.c;
    const sy = (rows[0] / rows[2]) * held.r, sh = ((rows[1] - rows[0]) / rows[2]) * held.r;
    ctx.imageSmoothingEnabled = sw > w * this.scale;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.image, sx, sy, sw, sh, left, top, w, h);
    this.paintDetail(ctx, rows, cols);
    this.paintStrips(ctx);
    this.paintBounds(ctx);
    this.paintMarks(ctx);
    const scale = this.model.scaleOf(this.picture.name, held);
    this.legend.show(scale, this.pointed(), this.ramp, this.view.stretched);
    const end = (x) => inWords(scale.log ? 10 ** x : x);
    this.alt(
      `${this.picture.letter}, ${this.picture.meaning}, at iteration ${this.model.shown}: ${this.things(0)} by ${this.things(1)}, ` +
      `values from ${end(held.lo)} to ${end(held.hi)}.`,
    );
  }

  // The picture in colours; kept until another frame is shown, so nothing is ever blank.
  hold(frame) {
    const scale = this.model.scaleOf(this.picture.name, frame), key = `${scale.lo} ${scale.hi} ${this.ramp} ${this.view.stretched}`;
    if (this.held === frame && this.coloured === key) return;
    this.held = frame;
    this.coloured = key;
    const table = lookup(this.ramp, frame, scale, this.view.stretched), pixels = new ImageData(frame.c, frame.r);
    const words = new Uint32Array(pixels.data.buffer), codes = frame.values;
    for (let k = 0; k < codes.length; k++) words[k] = table[codes[k]];
    if (this.image.width !== frame.c || this.image.height !== frame.r) {
      this.image.width = frame.c;
      this.image.height = frame.r;
    }
    this.image.getContext("2d").putImageData(pixels, 0, 0);
    this.codes = codes;
  }

  sharpen(frame) {
    this.detail = frame;
    this.detail.image = null;
  }

  // The sharper picture of the part in view, where it is of this iteration.
  paintDetail(ctx, rows, cols) {
    const { detail, model } = this, zoom = model.zoom;
    if (!detail || !zoom || detail.i !== model.shown || detail.run !== model.run || detail.order !== model.order) return;
    const { left, top, w, h } = this.plot(), scale = model.scaleOf(this.picture.name, detail), key = `${scale.lo} ${scale.hi} ${this.ramp} ${this.view.stretched}`;
    if (!detail.image || detail.coloured !== key) {
      detail.image = new OffscreenCanvas(detail.c, detail.r);
      detail.coloured = key;
      const table = lookup(this.ramp, detail, scale, this.view.stretched), pixels = new ImageData(detail.c, detail.r), words = new Uint32Array(pixels.data.buffer);
      detail.values.forEach((code, k) => { words[k] = table[code]; });
      detail.image.getContext("2d").putImageData(pixels, 0, 0);
    }
    const [r0, r1, c0, c1] = detail.window, tall = h / (rows[1] - rows[0]), wide = w / (cols[1] - cols[0]);
    const across = this.square ? [left + (c0 - cols[0]) * wide, (c1 - c0) * wide] : [left, w];
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, w, h);
    ctx.clip();
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(detail.image, across[0], top + (r0 - rows[0]) * tall, across[1], (r1 - r0) * tall);
    ctx.restore();
  }

  paintStrips(ctx) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { order } = this.model.ordered();
    const { data } = this.model;
    const kinds = [(object) => this.model.label(object)];
    if (data.truth) { const colours = this.model.truthColours(); kinds.push((object) => colours[data.truth.codes[object]] ?? -1); }
    kinds.forEach((label, k) => {
      const x = left - (k + 1) * (STRIP + GAP), y = top - (k + 1) * (STRIP + GAP);
      if (this.picture.axes[0] === "object") runs(order, rows, label, (a, b, l) => {
        ctx.fillStyle = clusterColour(l);
        ctx.fillRect(x, top + a * h, STRIP, Math.max((b - a) * h, 0.5));
      }, h);
      if (this.picture.axes[1] === "object") runs(order, cols, label, (a, b, l) => {
        ctx.fillStyle = clusterColour(l);
        ctx.fillRect(left + a * w, y, Math.max((b - a) * w, 0.5), STRIP);
      }, w);
    });
    if (this.picture.axes[1] === "hyperedge") this.paintOwners(ctx);
  }

  // What the columns are: the consensus cluster they mostly hold, or else (alternating) whose clusters they are.
  paintOwners(ctx) {
    const { left, top, w } = this.plot(), { model } = this, names = model.about.hyperedges, { look } = this.view;
    const owned = model.order === "consensus", { order } = model.along("hyperedge", names.length);
    const key = (k) => (owned ? model.owner("hyperedge", order.at(k)) : names[k].slice(0, names[k].lastIndexOf(":")));
    let from = 0, shade = 0;
    for (let k = 1; k <= names.length; k++) {
      if (k < names.length && key(k) === key(from)) continue;
      ctx.fillStyle = owned ? clusterColour(key(from)) : shade++ % 2 ? look.quiet : look.line;
      ctx.fillRect(left + (from / names.length) * w, top - STRIP - GAP, ((k - from) / names.length) * w - 0.5, STRIP);
      from = k;
    }
  }

  paintBounds(ctx) {
    if (this.picture.axes[0] !== "object") return;
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span(), { order } = this.model.ordered();
    const cell = h / (rows[1] - rows[0]), { look } = this.view;
    ctx.textAlign = "right";
    const edge = left - this.strips * (STRIP + GAP) - 4;
    if (cell >= 11) {
      ctx.fillStyle = look.text;
      for (let k = Math.ceil(rows[0] - 0.5); k < rows[1] - 0.4; k++) {
        ctx.fillText(cut(this.model.name(order[k]), 5), edge, top + (k + 0.5 - rows[0]) * cell);
      }
      return;
    }
    const byLabel = this.model.order === "consensus";
    if (!byLabel) {
      ctx.fillStyle = look.quiet;
      for (const tick of niceTicks(rows[0], rows[1], 5)) {
        const y = top + (tick - rows[0]) * cell;
        if (y > top + 4 && y < top + h - 4) ctx.fillText(tick.toLocaleString("en-US"), edge, y);
      }
      return;
    }
    ctx.strokeStyle = "rgba(255,255,255,.28)";
    ctx.lineWidth = 1;
    ctx.beginPath();
    let last = -99;
    runs(order, rows, (object) => this.model.label(object), (a, b, l) => {
      const y = top + ((a + b) / 2) * h;
      if (y - last >= 11) {
        ctx.fillStyle = clusterInk(l, look.dark);
        ctx.font = `600 11px ${look.font}`;
        ctx.fillText(String(l + 1), edge, y);
        last = y;
      }
      if (b < 0.9999) { ctx.moveTo(left, top + b * h); ctx.lineTo(left + w, top + b * h); }
    });
    if (this.square) runs(order, cols, (object) => this.model.label(object), (a, b) => {
      if (b < 0.9999) { ctx.moveTo(left + b * w, top); ctx.lineTo(left + b * w, top + h); }
    });
    ctx.stroke();
  }

  // The selection, the pinned entry and the one pointed at.
  paintMarks(ctx) {
    const { model, view } = this, { left, top, w, h } = this.plot(), { rows, cols } = this.span();
    const { place } = model.ordered(), cell = h / (rows[1] - rows[0]), wide = w / (cols[1] - cols[0]);
    const objectRows = this.picture.axes[0] === "object", objectCols = this.picture.axes[1] === "object";
    if (model.selected.size && objectRows) {
      ctx.fillStyle = view.look.accent;
      for (const object of model.selected) {
        const y = top + (place[object] - rows[0]) * cell;
        if (y >= top - cell && y < top + h) ctx.fillRect(left - 2, y, 3, Math.max(cell, 1.5));
        const x = left + (place[object] - cols[0]) * wide;
        if (objectCols && x >= left - wide && x < left + w) ctx.fillRect(x, top - 2, Math.max(wide, 1.5), 3);
      }
    }
    const cross = (at, colour, dash) => {
      if (!at) return;
      const y = top + (at[0] + 0.5 - rows[0]) * cell, x = left + (at[1] + 0.5 - cols[0]) * wide;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, w, h);
      ctx.clip();
      for (const [style, width] of [["rgba(0,0,0,.55)", 3], [colour, 1.25]]) {
        ctx.strokeStyle = style;
        ctx.lineWidth = width;
        ctx.setLineDash(dash);
        ctx.beginPath();
        ctx.moveTo(left, y); ctx.lineTo(left + w, y);
        ctx.moveTo(x, top); ctx.lineTo(x, top + h);
        ctx.stroke();
      }
      ctx.restore();
    };
    cross(this.placeOf(view.pointer), "#ffffff", [2, 3]);
    cross(this.placeOf(model.pin), "#ff9df5", []);
    if (this.box) {
      const [x0, y0, x1, y1] = this.box;
      ctx.strokeStyle = "#fff";
      ctx.lineWidth = 1.5;
      ctx.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    }
  }

  // [row, column] of what a pin or pointer names, in things along the sides; null when it does not say.
  placeOf(pin) {
    const where = this.model.whereOf(this.picture, pin);
    if (!where) return null;
    return where.map((at, side) => this.model.along(this.picture.axes[side], this.things(side)).place.at(at));
  }

  // The value of the pixel at a pin or pointer.
  valueOf(pin) {
    const at = this.placeOf(pin), held = this.held;
    if (!at || !held || !this.codes) return null;
    const sharp = this.detailAt(at);
    if (sharp !== undefined) return sharp;
    const y = Math.min(Math.floor(((at[0] + 0.5) / this.things(0)) * held.r), held.r - 1);
    const x = Math.min(Math.floor(((at[1] + 0.5) / this.things(1)) * held.c), held.c - 1);
    return decoded(held, this.codes[y * held.c + x]);
  }

  // The value the sharper picture has there; undefined where it says nothing.
  detailAt(at) {
    const { detail, model } = this;
    if (!detail || !model.zoom || detail.i !== model.shown || detail.run !== model.run || detail.order !== model.order) return undefined;
    const [r0, r1, c0, c1] = detail.window;
    if (at[0] < r0 || at[0] >= r1 || (this.square && (at[1] < c0 || at[1] >= c1))) return undefined;
    const y = Math.floor(((at[0] + 0.5 - r0) / (r1 - r0)) * detail.r);
    const x = Math.floor((this.square ? (at[1] + 0.5 - c0) / (c1 - c0) : (at[1] + 0.5) / this.things(1)) * detail.c);
    return decoded(detail, detail.values[y * detail.c + x]);
  }

  get shared() { return this.things(0) > this.shape[0] || this.things(1) > this.shape[1]; }
  pointed() { return this.valueOf(this.view.pointer || this.model.pin) ?? NaN; }

  showReadout(exact) {
    const pin = this.view.pointer || this.model.pin, value = this.valueOf(pin);
    const known = exact?.[this.picture.name];
    const text = value === null ? "" : known !== undefined ? inWords(known) : `${this.shared ? "≈ " : ""}${inWords(value)}`;
    say(this.readout, text);
    const scale = this.model.scales[this.picture.name];
    if (scale) this.legend.show(scale, value ?? NaN, this.ramp, this.view.stretched);
  }

  // What lies under a point of the canvas, as a pin.
  under(x, y) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span();
    if (x < left || y < top || x >= left + w || y >= top + h || !this.held) return null;
    const at = [rows[0] + ((y - top) / h) * (rows[1] - rows[0]), cols[0] + ((x - left) / w) * (cols[1] - cols[0])];
    return this.pinAt(at.map(Math.floor));
  }

  pinAt(at) {
    const pin = {};
    this.picture.axes.forEach((axis, side) => {
      const count = this.things(side), thing = this.model.along(axis, count).order.at(Math.min(Math.max(at[side], 0), count - 1));
      if (axis !== "object") pin[axis] = thing;
      else if (pin.object === undefined) pin.object = thing;
      else pin.other = thing;
    });
    return pin;
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
      if (event.pointerType === "mouse") view.point(this.under(x, y), event, this);
    };
    frame.onpointerup = (event) => {
      const [x, y] = this.at(event);
      if (this.box) {
        const box = this.box;
        this.box = null;
        this.zoomTo(box);
      } else if (from) {
        const pin = this.under(x, y);
        if (pin) view.pinTo(pin, this.picture.name);
      }
      from = null;
    };
    frame.onpointerleave = () => view.point(null);
    frame.ondblclick = () => view.zoomTo(null);
    frame.onwheel = (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const [x, y] = this.at(event), { left, top, w, h } = this.plot();
      view.zoomBy(event.deltaY < 0 ? 1 / 1.25 : 1.25, (y - top) / h, (x - left) / w);
    };
    frame.onkeydown = (event) => this.keys(event);
  }

  keys(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const { view, model } = this, big = event.shiftKey ? 10 : 1;
    if (move) {
      const { rows, cols } = this.span();
      const at = this.placeOf(view.pointer) || this.placeOf(model.pin) || [Math.floor((rows[0] + rows[1]) / 2), Math.floor((cols[0] + cols[1]) / 2)];
      const to = this.pinAt([at[0] + move[0] * big, at[1] + move[1] * big]);
      view.point(to, null, this);
      this.follow(this.placeOf(to));
    } else if (event.key === "Enter") {
      if (view.pointer) view.pinTo(view.pointer, this.picture.name);
    } else if (event.key === "+" || event.key === "=") view.zoomBy(1 / 1.5);
    else if (event.key === "-") view.zoomBy(1.5);
    else if (event.key === "0") view.zoomTo(null);
    else if (event.key === "Escape") view.pinTo(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The part in view moves along with the cross-hair.
  follow([row, col]) {
    const zoom = this.model.zoom;
    if (!zoom) return;
    const over = (at, from, to) => Math.min(at - from, 0) + Math.max(at + 1 - to, 0);
    const dr = this.picture.axes[0] === "object" ? over(row, zoom.r0, zoom.r1) : 0, dc = this.square ? over(col, zoom.c0, zoom.c1) : 0;
    if (dr || dc) this.view.zoomTo({ r0: zoom.r0 + dr, r1: zoom.r1 + dr, c0: zoom.c0 + dc, c1: zoom.c1 + dc });
  }

  // A box becomes a square: cells keep their shape.
  zoomTo([x0, y0, x1, y1]) {
    const { left, top, w, h } = this.plot(), { rows, cols } = this.span();
    const row = (y) => rows[0] + ((y - top) / h) * (rows[1] - rows[0]), col = (x) => cols[0] + ((x - left) / w) * (cols[1] - cols[0]);
    const [r0, r1] = [row(Math.min(y0, y1)), row(Math.max(y0, y1))];
    if (!this.square) return this.view.zoomTo({ r0, r1, c0: r0, c1: r1 });
    const [c0, c1] = [col(Math.min(x0, x1)), col(Math.max(x0, x1))], half = Math.max(r1 - r0, c1 - c0) / 2;
    this.view.zoomTo({ r0: (r0 + r1) / 2 - half, r1: (r0 + r1) / 2 + half, c0: (c0 + c1) / 2 - half, c1: (c0 + c1) / 2 + half });
  }

  pan(from, x, y) {
    const zoom = this.model.zoom, { w, h } = this.plot(), size = zoom.r1 - zoom.r0;
    const dr = ((from[1] - y) / h) * size, dc = ((from[0] - x) / w) * (zoom.c1 - zoom.c0);
    this.view.zoomTo({ r0: zoom.r0 + dr, r1: zoom.r1 + dr, c0: zoom.c0 + dc, c1: zoom.c1 + dc });
  }
}

function decoded(frame, code) {
  if (code === 255) return NaN;
  const value = frame.lo + (code / 254) * (frame.hi - frame.lo);
  return frame.log ? 10 ** value : value;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Stretches of one label within a window of the order, as shares of it.
function runs(order, [from, to], label, draw, pixels = Infinity) {
  const size = to - from, stride = Math.max(1, Math.floor(size / Math.min(pixels * 2, size)));
  let start = Math.floor(from), current = label(order[start]);
  for (let k = start; k <= to; k += stride) {
    const next = k < to && k < order.length ? label(order[Math.floor(k)]) : null;
    if (next === current) continue;
    draw(Math.max((start - from) / size, 0), Math.min((Math.min(k, to) - from) / size, 1), current);
    start = k;
    current = next;
    if (next === null) return;
  }
  if (current !== null && start < to) draw(Math.max((start - from) / size, 0), 1, current);
}

function niceTicks(low, high, count) {
  const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough) || power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) ticks.push(Math.abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}
