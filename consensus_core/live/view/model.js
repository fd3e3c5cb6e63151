// What the browser knows: the objects, the run's numbers and pictures, what is shown, pointed at and chosen.

class Model {
  constructor() {
    this.data = null;
    this.about = null;
    this.rows = [];
    this.film = new Map(); // quantity -> Map(iteration -> frame)
    this.scales = {};
    this.ghosts = [];
    this.order = "consensus";
    this.shown = -1;
    this.pin = null; // { object, other, hyperedge, clustering, … }
    this.selected = new Set();
    this.zoom = null; // { r0, r1, c0, c1 } in places of the order
    this.bytes = 0;
    this.decoded = new Map();
  }

  async learnObjects(message) {
    const said = message.header.data, data = { ...said };
    for (const name of ["member", "rank", "rows", "map"]) data[name] = await unpacked(message, said[name]);
    if (said.truth) data.truth = { codes: await unpacked(message, said.truth.codes), names: said.truth.names };
    data.counts = new Int32Array(data.q);
    for (const p of data.member) data.counts[p]++;
    const byRank = Array.from({ length: data.n }, (_, k) => k).sort((a, b) => data.rank[data.member[a]] - data.rank[data.member[b]] || a - b);
    data.byRank = Int32Array.from(byRank);
    this.data = data;
    this.zoom = null;
    this.pin = null;
    this.selected = new Set();
    this._ordered = null;
  }

  startRun(message) {
    this.run = message.header.run;
    this.about = message.header.about;
    this.rows = [];
    this.film = new Map();
    this.scales = {};
    this.decoded = new Map();
    this.bytes = 0;
  }

  learnRows(message) {
    for (const row of message.header.rows) {
      for (const name of ["labels", "sure", "second"]) row[name] = plain(message, row[name]);
      this.rows[row.i] = row;
    }
  }

  learnFrames(message) {
    for (const frame of message.header.frames || []) {
      if (!this.film.has(frame.n)) this.film.set(frame.n, new Map());
      const reel = this.film.get(frame.n);
      if (frame.k === "same") {
        reel.set(frame.i, reel.get(frame.of));
        continue;
      }
      if (frame.k !== "none") {
        frame.data = message.part(frame.at);
        this.bytes += frame.data.length;
        const scale = this.scales[frame.n] || (this.scales[frame.n] = { lo: frame.lo, hi: frame.hi });
        scale.lo = Math.min(scale.lo, frame.lo);
        scale.hi = Math.max(scale.hi, frame.hi);
        scale.log = frame.log;
      }
      reel.set(frame.i, frame);
      this.decoded.delete(`${frame.n}:${frame.i}`);
    }
  }

  // One scale for all frames of a quantity; a frame kept from the run before stands on its own.
  scaleOf(name, frame) { return this.scales[name] || { lo: frame.lo, hi: frame.hi, log: frame.log }; }

  get last() { return this.rows.length - 1; }
  get row() { return this.rows[this.shown]; }
  frame(name, iteration = this.shown) { return this.film.get(name)?.get(iteration); }
  holds(name, iteration) { return this.film.get(name)?.has(iteration); }
  quantity(name) { return this.about.pictures.find((picture) => picture.name === name); }

  // The numbers of a picture, unpacked; kept for the frames looked at last.
  async decode(name, iteration) {
    const frame = this.frame(name, iteration);
    if (!frame || frame.k === "none" || frame.values) return frame;
    const bytes = await inflate(frame.data);
    frame.values = new TYPED[frame.k](bytes.buffer);
    const key = `${name}:${iteration}`;
    this.decoded.delete(key);
    this.decoded.set(key, frame);
    while (this.decoded.size > 240) {
      const [oldest, old] = this.decoded.entries().next().value;
      old.values = null;
      this.decoded.delete(oldest);
    }
    return frame;
  }

  // Which object stands in each row, and in which row each object stands.
  ordered() {
    const { data, row } = this;
    const by = this.order === "consensus" ? row?.labels : this.order;
    if (this._ordered && this._ordered.by === by) return this._ordered;
    let order;
    if (this.order === "given") order = Int32Array.from({ length: data.n }, (_, k) => k);
    else if (this.order === "leaf") order = data.byRank;
    else if (this.order === "truth" && data.truth) order = sortedBy(data.byRank, (object) => data.truth.codes[object]);
    else if (this.order.startsWith("base:")) {
      const column = Number(this.order.slice(5));
      order = sortedBy(data.byRank, (object) => data.rows[data.member[object] * data.m + column]);
    } else order = row ? sortedBy(data.byRank, (object) => row.labels[data.member[object]]) : data.byRank;
    const place = new Int32Array(data.n);
    for (let k = 0; k < order.length; k++) place[order[k]] = k;
    return (this._ordered = { by, order, place });
  }

  label(object, row = this.row) { return row ? row.labels[this.data.member[object]] : -1; }
  // A colour for each true class: that of the consensus cluster it shares most objects with, each used once.
  truthColours() {
    const { data, row } = this;
    if (this._truthFor === row?.labels) return this._truthColours;
    this._truthFor = row?.labels;
    const classes = data.truth.names.length;
    let k = 0;
    for (const label of row.labels) k = Math.max(k, label + 1);
    const shared = new Float64Array(classes * k);
    for (let object = 0; object < data.n; object++) shared[data.truth.codes[object] * k + row.labels[data.member[object]]]++;
    const pairs = [...shared.keys()].filter((at) => shared[at] > 0).sort((a, b) => shared[b] - shared[a] || a - b);
    const colours = new Int32Array(classes).fill(-1), taken = new Set();
    for (const at of pairs) {
      const name = Math.floor(at / k), label = at % k;
      if (colours[name] < 0 && !taken.has(label)) { colours[name] = label; taken.add(label); }
    }
    let free = k;
    for (let name = 0; name < classes; name++) if (colours[name] < 0) colours[name] = free++;
    return (this._truthColours = colours);
  }

  // The consensus cluster that most objects of a base cluster have; other things have none.
  owner(axis, k) {
    if (axis !== "hyperedge") return axis === "cluster" ? k : 0;
    const { data, row } = this;
    if (this._ownersFor !== row.labels) {
      this._ownersFor = row.labels;
      let most = 0;
      for (const label of row.labels) most = Math.max(most, label + 1);
      const starts = [0], each = Array(data.m).fill(0);
      for (let p = 0; p < data.q; p++) for (let i = 0; i < data.m; i++) each[i] = Math.max(each[i], data.rows[p * data.m + i] + 1);
      for (const size of each) starts.push(starts.at(-1) + size);
      const votes = new Float64Array(starts.at(-1) * most);
      for (let p = 0; p < data.q; p++) for (let i = 0; i < data.m; i++) {
        const label = data.rows[p * data.m + i];
        if (label >= 0) votes[(starts[i] + label) * most + row.labels[p]] += data.counts[p];
      }
      this._owners = Int32Array.from({ length: starts.at(-1) }, (_, h) => {
        let best = 0;
        for (let l = 1; l < most; l++) if (votes[h * most + l] > votes[h * most + best]) best = l;
        return best;
      });
    }
    return this._owners[k] ?? 0;
  }

  // The things along a side in the order they are drawn, and the place of each.
  along(axis, count) {
    if (axis === "object") return this.ordered();
    if (axis !== "hyperedge" || this.order !== "consensus" || !this.row) return { order: { at: (k) => k }, place: { at: (k) => k } };
    this.owner(axis, 0);
    if (this._alongFor !== this._owners) {
      const order = sortedBy(Int32Array.from({ length: count }, (_, k) => k), (k) => this._owners[k]), place = new Int32Array(count);
      order.forEach((thing, at) => { place[thing] = at; });
      this._along = { order, place };
      this._alongFor = this._owners;
    }
    return this._along;
  }

  sureness(object, row = this.row) { return row ? row.sure[this.data.member[object]] / 254 : NaN; }
  name(object) { return this.data.ids ? this.data.ids[object] : String(object + 1); }

  window() { return this.zoom || { r0: 0, r1: this.data.n, c0: 0, c1: this.data.n }; }

  // Where a quantity has the pinned things; null when the pin says nothing about one of its sides.
  whereOf(picture, pin = this.pin) {
    if (!pin) return null;
    let objects = [pin.object, pin.other ?? pin.object], where = [];
    for (const axis of picture.axes) {
      const at = axis === "object" ? objects.shift() : pin[axis];
      if (at === undefined || at === null) return null;
      where.push(at);
    }
    return where;
  }
}

// Stable counting sort by a small whole number, −1 (no label) last.
function sortedBy(objects, key) {
  let most = 0;
  for (const object of objects) most = Math.max(most, key(object));
  const starts = new Int32Array(most + 3), order = new Int32Array(objects.length);
  const bin = (object) => { const k = key(object); return k < 0 ? most + 1 : k; };
  for (const object of objects) starts[bin(object) + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  for (const object of objects) order[starts[bin(object)]++] = object;
  return order;
}
