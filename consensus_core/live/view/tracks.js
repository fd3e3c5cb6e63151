// Every base clustering as a column, every object as a row: who disagrees with the consensus, and about whom.

class TracksCard extends Card {
  constructor(view, title, { letter = "", equation = "", picture = null, meaning = "" } = {}) {
    super(view, { title, letter, equation, kind: "tracks", meaning, keys: "Up and down walk through the objects, Enter pins one." });
    this.picture = picture;
    this.image = document.createElement("canvas");
    this.listen();
  }

  get model() { return this.view.model; }
  tall(width) { return Math.min(width - TICKS, 420); }

  // (q × m) labels: the ensemble's, or a filled table a method shows.
  table() {
    if (!this.picture) return this.model.data.rows;
    return this.model.frame(this.picture.name)?.values || null;
  }

  columns() { return 1 + (this.model.data.truth ? 1 : 0) + this.model.data.m; }

  // Each cluster of each base clustering takes the colour of the consensus cluster that holds most of its objects.
  colours(table) {
    const { data, row } = this.model, { q, m } = data;
    if (this._table === table && this._labels === row.labels) return this._colours;
    let k = 0;
    for (const label of row.labels) k = Math.max(k, label + 1);
    this._colours = Array.from({ length: m }, (_, i) => {
      let most = 0;
      for (let p = 0; p < q; p++) most = Math.max(most, table[p * m + i] + 1);
      const votes = new Float64Array(most * k);
      for (let p = 0; p < q; p++) if (table[p * m + i] >= 0) votes[table[p * m + i] * k + row.labels[p]] += data.counts[p];
      return Int32Array.from({ length: most }, (_, c) => {
        let best = 0;
        for (let l = 1; l < k; l++) if (votes[c * k + l] > votes[c * k + best]) best = l;
        return best;
      });
    });
    this._table = table;
    this._labels = row.labels;
    return this._colours;
  }

  plot() { return { left: 0, top: 16, w: this.width, h: this.height - 16 }; }

  paint() {
    const ctx = this.begin(), { model, view } = this, table = model.data && model.row && this.table();
    if (!table) return;
    const { data } = model, { order, place } = model.ordered(), zoom = model.window();
    const { left, top, w, h } = this.plot(), columns = this.columns();
    const from = Math.max(Math.floor(zoom.r0), 0), to = Math.min(Math.ceil(zoom.r1), data.n), seen = to - from;
    const rows = Math.min(seen, Math.round(h * this.scale)), colours = this.colours(table);
    const pixels = new ImageData(columns, rows), words = new Uint32Array(pixels.data.buffer), skip = columns - data.m;
    for (let r = 0; r < rows; r++) {
      const object = order[from + Math.floor(((r + 0.5) / rows) * seen)], p = data.member[object];
      words[r * columns] = clusterPixel(model.row.labels[p]);
      if (skip === 2) words[r * columns + 1] = clusterPixel(this.model.truthColours()[data.truth.codes[object]] ?? -1);
      for (let i = 0; i < data.m; i++) {
        const label = table[p * data.m + i];
        words[r * columns + skip + i] = label < 0 ? 0 : clusterPixel(colours[i][label]);
      }
    }
    this.image.width = columns;
    this.image.height = rows;
    this.image.getContext("2d").putImageData(pixels, 0, 0);
    const wide = w / columns, cell = h / (zoom.r1 - zoom.r0);
    ctx.imageSmoothingEnabled = false;
    for (let c = 0; c < columns; c++) {
      const x = left + this.across(c) * w, gap = wide > 5 ? 1 : 0;
      ctx.drawImage(this.image, c, 0, 1, rows, x, top + (from - zoom.r0) * cell, this.wide() * w - gap, seen * cell);
    }
    ctx.fillStyle = view.look.quiet;
    ctx.textAlign = "left";
    // rows that do not get a pixel are not drawn: it is said how many are
    const part = rows < seen ? ` · ${rows.toLocaleString("en-US")} of ${seen.toLocaleString("en-US")} rows` : "";
    ctx.fillText(`consensus · ${skip === 2 ? "truth · " : ""}base clusterings 1 to ${data.m}${part}`, left, 7);
    ctx.strokeStyle = view.look.text;
    ctx.lineWidth = 1.5;
    const line = (object) => {
      if (object === undefined || object === null) return;
      const y = top + (place[object] + 0.5 - zoom.r0) * cell;
      if (y < top || y > top + h) return;
      ctx.strokeRect(left + 0.75, y - Math.max(cell / 2, 1.5), w - 1.5, Math.max(cell, 3));
    };
    if (model.selected.size) {
      ctx.fillStyle = view.look.accent;
      for (const object of model.selected) ctx.fillRect(left + w - 4, top + (place[object] - zoom.r0) * cell, 4, Math.max(cell, 1.5));
    }
    for (const pin of [model.pin, view.pointer]) if (pin) { line(pin.object); line(pin.other); }
    this.alt(`Track plot: the labels of ${data.m} base clusterings over ${data.n.toLocaleString("en-US")} objects, beside the consensus of iteration ${model.shown}.`);
  }

  // The left end of a column as a share of the width: the consensus (and the truth) stand a little apart.
  across(c) { const skip = this.columns() - this.model.data.m; return (c + (c >= skip ? 0.5 : 0)) * this.wide(); }
  wide() { return 1 / (this.columns() + 0.5); }

  under(x, y) {
    const { top, h, w } = this.plot(), zoom = this.model.window(), { data } = this.model;
    if (y < top || y >= top + h || !data) return null;
    const at = Math.floor(zoom.r0 + ((y - top) / h) * (zoom.r1 - zoom.r0));
    const skip = this.columns() - data.m, column = Math.floor(x / w / this.wide() - 0.5) - skip;
    const pin = { object: this.model.ordered().order[Math.min(Math.max(at, 0), data.n - 1)] };
    if (column >= 0 && column < data.m) pin.clustering = column;
    return pin;
  }

  listen() {
    const { frame, view } = this;
    frame.onpointermove = (event) => { if (event.pointerType === "mouse") view.point(this.under(...this.at(event)), event, this); };
    frame.onpointerleave = () => view.point(null);
    frame.onpointerup = (event) => { const pin = this.under(...this.at(event)); if (pin) view.pinTo(pin); };
    frame.onkeydown = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], { order, place } = this.model.ordered(), n = order.length;
      const now = view.pointer?.object ?? this.model.pin?.object ?? order[0];
      if (step) view.point({ object: order[(place[now] + step + n) % n] }, null, this);
      else if (event.key === "Enter" && view.pointer) view.pinTo(view.pointer);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }
}
