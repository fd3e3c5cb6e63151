// Every base clustering as a column, every object as a row: who disagrees with the consensus, and about whom. A base
// cluster has the colour of the consensus cluster that holds most of it; lines part clusters of one colour.

import { cut, make } from "../dom.js";
import { CLUSTER, pinOf } from "../model.js";
import { counted, grouped } from "../numbers.js";
import { register } from "../registry.js";
import { Card } from "./card.js";

const BORDER = 0x48 << 24; // how much colour is left in the line between two clusters of one colour

export class TracksCard extends Card {
  // `picture`: labels a method shows; without one, the ensemble's own.
  constructor(view, part, picture = null) {
    const said = picture ? { title: picture.meaning, letter: picture.letter, equation: picture.equation } : {
      title: "base clusterings beside the consensus",
    };
    super(view, part, { ...said, kind: "tracks", keys: "Up and down walk through the objects, left and right through " +
      "the base clusterings, Enter pins one." });
    this.picture = picture;
    this.image = make("canvas");
    this.note = make("p", "note");
    this.el.append(this.note);
    this.listen();
  }

  tall(width) { return Math.min(width - 34, this.view.stage.most, 420); }

  // (q × m) labels, and the colour number of each base cluster.
  table() {
    if (!this.picture) return { rows: this.model.data.rows, colours: this.model.labelsOf(this.run)?.owners };
    const frame = this.run.frame(this.picture.name, this.model.shown);
    return frame?.values ? { rows: frame.values, colours: frame.colours } : null;
  }

  get skip() { return 1 + (this.model.data.truth ? 1 : 0); } // columns before the base clusterings
  get columns() { return this.skip + this.model.data.m; }

  // Objects in view: from … to, whole ones.
  get rows() {
    const { r0, r1 } = this.model.window();
    return { from: Math.max(Math.floor(r0), 0), to: Math.min(Math.ceil(r1), this.model.data.n), r0, r1 };
  }

  paint() {
    const ctx = this.begin(), { model, look } = this, { data } = model;
    const table = data && model.standing && this.table();
    if (!table?.colours) return;
    const { from, to, r0, r1 } = this.rows, lines = Math.round(this.height * this.dots);
    this.drawImage(table, from, to, lines);
    const w = this.width, h = this.height, cell = h / (r1 - r0), wide = this.wide() * w, gap = wide > 5 ? 1 : 0;
    ctx.imageSmoothingEnabled = false;
    for (let c = 0; c < this.columns; c++) {
      ctx.drawImage(this.image, c, 0, 1, lines, this.across(c) * w, (from - r0) * cell, wide - gap, (to - from) * cell);
    }
    const room = cell >= 1.1 * look.small && wide >= 2 * look.small;
    if (data.labels && room) this.write(ctx, table, { from, to, r0, cell, wide });
    this.paintMarks(ctx, cell);
    // rows that do not get a pixel are not drawn: it is said how many are
    const part = lines < to - from ? ` ${grouped(lines)} of ${counted(to - from, "row")} are drawn.` : "";
    const truth = this.skip === 2 ? ", the truth" : "";
    const columns = data.labels ? data.names.join(", ") : `base clusterings 1 to ${data.m}`;
    this.note.textContent = `The consensus${truth}, ${columns}.${part}`;
    this.alt(
      `Track plot: the labels of ${counted(model.data.m, "base clustering")} over ` +
      `${counted(model.data.n, "object")}, beside the consensus of iteration ${model.shown}.`,
    );
  }

  // One pixel per column, `lines` pixels for the objects; a faint one where another cluster of the same colour begins.
  drawImage({ rows, colours }, from, to, lines) {
    const { model, run, skip, columns } = this, { data } = model, { palette } = this.view, { m, starts } = data;
    const pixels = new ImageData(columns, lines), words = new Uint32Array(pixels.data.buffer);
    const { rows: order } = model.standing, before = new Int32Array(m).fill(-2), own = model.tints(run);
    const tint = (colour) => palette.pixel(model.into(colour, run), own);
    for (let r = 0; r < lines; r++) {
      const object = order[from + Math.floor(((r + 0.5) / lines) * (to - from))], p = data.member[object];
      words[r * columns] = palette.pixel(model.label(object, run), own);
      if (skip === 2) words[r * columns + 1] = palette.pixel(model.classColour(object, run), own);
      for (let i = 0; i < m; i++) {
        const label = rows[p * m + i], at = r * columns + skip + i;
        const colour = label < 0 ? -1 : colours[starts[i] + label];
        const border = label >= 0 && before[i] >= 0 && before[i] !== label && colours[starts[i] + before[i]] === colour;
        words[at] = border ? (tint(colour) & 0xffffff) | BORDER : tint(colour);
        before[i] = label;
      }
    }
    this.image.width = columns;
    this.image.height = lines;
    this.image.getContext("2d").putImageData(pixels, 0, 0);
  }

  // Where there is room: whose row it is, and what each label is called.
  write(ctx, { rows, colours }, { from, to, r0, cell, wide }) {
    const { model, run, skip, look } = this, { data } = model, { palette } = this.view;
    const { rows: order } = model.standing;
    ctx.textAlign = "center";
    const write = (text, c, y, colour) => {
      ctx.fillStyle = colour < 0 ? look.text : palette.on(model.into(colour, run), model.tints(run));
      ctx.fillText(cut(text, 6), (this.across(c) + this.wide() / 2) * this.width - 0.5, y, wide - 4);
    };
    for (let r = from; r < to; r++) {
      const object = order[r], p = data.member[object], y = (r + 0.5 - r0) * cell;
      write(model.name(object), 0, y, model.label(object, run));
      for (let i = 0; i < data.m; i++) {
        const label = rows[p * data.m + i];
        write(label < 0 ? "–" : data.labels[i][label] ?? String(label + 1), skip + i, y, label < 0 ? -1
          : colours[data.starts[i] + label]);
      }
    }
  }

  paintMarks(ctx, cell) {
    const { model, look } = this, { r0 } = this.rows, { place } = model.along("object");
    const w = this.width, h = this.height, top = (object) => (place[object] - r0) * cell;
    ctx.fillStyle = look.accent;
    for (const object of model.selected) ctx.fillRect(w - 5, top(object), 5, Math.max(cell, 1.5));
    ctx.strokeStyle = look.text;
    ctx.lineWidth = 1.5;
    for (const pin of [model.pin, model.pointer]) {
      for (const object of pin?.where.object || []) {
        const y = top(object) + cell / 2, tall = Math.max(cell, 3);
        if (y < 0 || y > h) continue;
        ctx.strokeRect(0.75, y - tall / 2, w - 1.5, tall);
        const [column] = pin.where.clustering || [];
        if (column === undefined) continue;
        ctx.strokeRect(this.across(this.skip + column) * w, y - tall / 2 - 2, this.wide() * w, tall + 4);
      }
    }
  }

  // The left end of a column as a share of the width: the consensus (and the truth) stand a little apart.
  across(c) { return (c + (c >= this.skip ? 0.5 : 0)) * this.wide(); }
  wide() { return 1 / (this.columns + 0.5); }

  under(x, y) {
    const { r0, r1 } = this.rows, { data } = this.model;
    if (!data || y < 0 || y >= this.height) return null;
    const column = Math.floor(x / this.width / this.wide() - 0.5) - this.skip;
    const at = Math.floor(r0 + (y / this.height) * (r1 - r0));
    return this.pinAt(at, column >= 0 && column < data.m ? column : null);
  }

  // The middle of what a pin names, in the frame.
  middleOf({ where }) {
    const { r0, r1 } = this.rows, { place } = this.model.along("object"), [column] = where.clustering || [];
    const across = column === undefined ? 0 : this.skip + column;
    const y = ((place[where.object[0]] + 0.5 - r0) / (r1 - r0)) * this.height;
    return [(this.across(across) + this.wide() / 2) * this.width, y];
  }

  pinAt(row, column) {
    const { data } = this.model, object = this.model.along("object").order[Math.min(Math.max(row, 0), data.n - 1)];
    if (column === null) return pinOf(this.run.id, CLUSTER, ["object"], [object]);
    return pinOf(this.run.id, this.picture?.name ?? null, ["object", "clustering"], [object, column]);
  }

  listen() {
    const { frame, view } = this;
    frame.onpointermove = (event) => {
      if (event.pointerType === "mouse") view.pointer.point(this.under(...this.at(event)), event);
    };
    frame.onpointerleave = () => view.pointer.point(null);
    frame.onpointerup = (event) => {
      const pin = this.under(...this.at(event));
      if (pin) view.pointer.pin(pin);
    };
    frame.onkeydown = (event) => this.keys(event);
  }

  keys(event) {
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key] || 0;
    const right = { ArrowRight: 1, ArrowLeft: -1 }[event.key] || 0;
    const { model, view } = this, { place } = model.along("object"), now = model.pointer || model.pin;
    if (down || right) {
      const row = now?.where.object ? place[now.where.object[0]] : -down;
      const column = (now?.where.clustering?.[0] ?? -1) + right;
      const { m } = model.data;
      view.pointer.point(this.pinAt(row + down, column < 0 ? null : Math.min(column, m - 1)));
    } else if (event.key === "Enter" && model.pointer) view.pointer.pin(model.pointer);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

register("tracks", (view, part, picture) => new TracksCard(view, part, picture));
