// What the browser knows: the objects, the runs' numbers and pictures, what is shown, pointed at and chosen. Orders and
// colours come from the server; nothing is ordered here.

import { inflate, spans, TYPED, unpacked } from "./wire.js";

const UNPACKED = 240; // pictures kept unpacked, those looked at last
const STRETCHES = 8; // of colour, kept for one consensus
export const CLUSTER = "cluster"; // the cluster of an object, which can be asked why without a picture of its own
const LABELS = ""; // the name under which the labels of a place come

// What is known of one run, or of the difference of two.
export class Part {
  constructor(id, pair = null) {
    this.id = id;
    this.pair = pair; // { one, other }, the ids of two runs
    this.about = null;
    this.rows = []; // iteration -> its numbers
    this.film = new Map(); // quantity -> Map(place -> frame)
    this.labels = new Map(); // place -> { labels, sure, second, owners, classes }
    this.stale = new Set(); // places whose certainty is that of clusters before a person merged some
    this.scales = {};
    this.ghosts = [];
    this.state = "paused";
    this.live = false;
    this.count = 0;
    this.error = "";
    this.left = "";
    this.called = null; // clusters as a person calls them: { names, colours, into }, each by the cluster
    this.late = new Set(); // quantities that still stand as at the iteration before: a step is looked at line by line
  }

  get last() { return this.rows.length - 1; }
  get over() { return ["finished", "failed", "cancelled"].includes(this.state) && this.rows.length >= this.count; }
  row(place) { return this.rows[Math.min(place, this.last)]; }
  frame(name, place) { return this.film.get(name)?.get(this.late.has(name) ? Math.max(place - 1, 0) : place); }
  holds(name, place) { return Boolean(this.film.get(name)?.has(place)); }
  // Whether frames of this name come: of a picture, or of a further drawing that has some of its own.
  draws(name) { return Boolean(this.picture(name.split("~")[0])); }
  picture(name) { return this.about?.pictures.find((picture) => picture.name === name); }
  // What can be pinned: a picture, a curve, or what stands between them and can only be asked why.
  quantity(name) {
    const named = (one) => one.name === name;
    return this.picture(name) || this.about?.curves.find(named) || this.about?.between?.find(named);
  }
  scale(name, frame) { return this.scales[name] || { lo: frame.lo, hi: frame.hi }; }
}

export class Model {
  constructor() {
    this.data = null;
    this.parts = new Map(); // id -> Part, runs first, in the order of the stage
    this.order = "consensus"; // the name of the order in which rows stand
    this.rowsOf = ""; // and whose it is: pictures of another one are other pictures
    this.orders = new Map(); // place -> { rows, columns, rowOf, columnOf }
    this.reach = 0; // how many places there are
    this.until = null; // beyond this one none is shown
    this.veiled = false; // nobody shall see yet who is in which cluster
    this.live = false;
    this.shown = -1;
    this.pin = null; // { part, quantity or null, where: { object: [3, 7] } }
    this.pointer = null; // the same of what is pointed at
    this.selected = new Set();
    this.zoom = null; // { r0, r1, c0, c1 } in rows and columns
    this.bytes = 0;
    this.decoded = new Map();
  }

  // --- what there is --------------------------------------------------------------------------------------------

  get runs() { return [...this.parts.values()].filter((part) => !part.pair); }
  get pairs() { return [...this.parts.values()].filter((part) => part.pair); }
  get run() { return this.runs[0]; }
  get last() { return Math.min(this.reach - 1, this.until ?? Infinity); }
  get over() { return this.runs.length > 0 && this.runs.every((run) => run.over); }
  part(id) { return this.parts.get(id); }

  // --- learning -------------------------------------------------------------------------------------------------

  // True when another run, or a new one, is on the stage. What is packed is unpacked first, so that everything changes
  // at once: nobody sees new rows beside old pictures.
  async learn(message) {
    const { header } = message;
    const [objects, map, orders, frames] = await Promise.all([
      header.data && unpackedObjects(message), header.placed && unpacked(message, header.placed.map),
      Promise.all(header.orders.map((said) => unpackedOrder(message, said))),
      Promise.all(header.frames.map((said) => unpackedFrame(message, said))),
    ]);
    if (objects) this.learnObjects(objects);
    if (map) Object.assign(this.data, { map, mapping: header.placed.mapping });
    const fresh = this.learnRuns(header);
    if (header.standing !== this.rowsOf) this.reorder(header);
    this.reach = header.count;
    this.live = header.live;
    for (const order of orders) { // what comes twice is what is there: pictures stand as they stood
      const told = order.of === undefined ? order : this.orders.get(order.of);
      if (!this.orders.has(order.i)) this.orders.set(order.i, told);
    }
    for (const frame of frames) this.learnFrame(frame);
    return fresh;
  }

  learnObjects(data) {
    if (this.data?.id !== data.id) {
      this.parts = new Map();
      this.orders = new Map();
      this.zoom = this.pin = this.pointer = null;
      this.selected = new Set();
    }
    this.data = data;
  }

  // Rows stand otherwise: every picture is another one.
  reorder({ order, standing }) {
    this.order = order;
    this.rowsOf = standing;
    this.orders = new Map();
    for (const part of this.parts.values()) part.film = new Map();
    this.decoded = new Map();
    this.bytes = 0;
  }

  learnRuns(header) {
    const before = this.parts, parts = new Map();
    let fresh = false;
    for (const said of header.runs) {
      const run = before.get(said.id) || new Part(said.id);
      fresh ||= !before.has(said.id);
      parts.set(said.id, run);
      if (said.about) Object.assign(run, { about: said.about, ghosts: said.ghosts });
      for (const name of ["state", "live", "count", "error", "left"]) run[name] = said[name];
      if (JSON.stringify(run.called) !== JSON.stringify(said.called)) {
        const merged = (called) => JSON.stringify(called?.into ?? {});
        if (merged(run.called) !== merged(said.called)) run.stale = new Set(run.labels.keys());
        run.called = said.called;
      }
      Object.assign(run.scales, said.scales);
      for (const row of said.rows) if (row.i <= run.rows.length) run.rows[row.i] = row;
    }
    for (const said of header.pairs) {
      const pair = before.get(said.id) || new Part(said.id, { one: said.one, other: said.other });
      const minor = { minor: false, explained: false, equation: "", span: null, diverging: true, log: false };
      const one = parts.get(said.one);
      pair.about = { ...one.about, curves: [], pictures: said.pictures.map((picture) => ({ ...minor, ...picture })) };
      Object.assign(pair.scales, said.scales);
      parts.set(said.id, pair);
    }
    this.parts = parts;
    return fresh;
  }

  learnFrame(frame) {
    const part = this.parts.get(frame.u);
    if (!part) return;
    if (frame.n === LABELS) {
      part.labels.set(frame.i, frame.k === "same" ? part.labels.get(frame.of) : frame);
      part.stale.delete(frame.i);
      return;
    }
    if (!part.film.has(frame.n)) part.film.set(frame.n, new Map());
    const reel = part.film.get(frame.n);
    reel.set(frame.i, frame.k === "same" ? reel.get(frame.of) : frame);
    if (frame.data) this.bytes += frame.data.length;
  }

  // What this browser has of each run, and which pictures are in view: part of every question.
  known(names) {
    const runs = {};
    for (const part of this.parts.values()) {
      const see = names.get(part.id) || [], have = {};
      for (const name of see) have[name] = spans(sorted(part.film.get(name)?.keys()));
      if (!part.pair) have[LABELS] = spans(sorted(part.labels.keys()).filter((at) => !part.stale.has(at)));
      runs[part.id] = { rows: part.rows.length, see, have };
    }
    return runs;
  }

  get heldOrders() { return spans(sorted(this.orders.keys())); }

  // The numbers of a picture, unpacked; kept for the pictures looked at last.
  async decode(part, name, place) {
    const frame = part.film.get(name)?.get(place);
    if (!frame || frame.k === "none" || frame.values) return frame;
    const bytes = await inflate(frame.data);
    frame.values = new TYPED[frame.k](bytes.buffer);
    const key = `${part.id}:${name}:${frame.i}`;
    this.decoded.delete(key);
    this.decoded.set(key, frame);
    while (this.decoded.size > UNPACKED) {
      const [oldest, old] = this.decoded.entries().next().value;
      old.values = null;
      this.decoded.delete(oldest);
    }
    return frame;
  }

  // --- who is where ---------------------------------------------------------------------------------------------

  get standing() { return this.orders.get(this.shown); }
  labelsOf(part = this.run) { return (part.pair ? this.parts.get(part.pair.one) : part).labels.get(this.shown); }
  label(object, part = this.run) {
    return this.veiled ? -1 : this.into(this.labelsOf(part)?.labels[this.data.member[object]] ?? -1, part);
  }
  // Clusters as a person calls them; null where nobody has called them anything.
  naming(part = this.run) { return (part?.pair ? this.parts.get(part.pair.one) : part)?.called; }
  into(label, part = this.run) { return this.naming(part)?.into[label] ?? label; } // the one it was merged into
  tints(part = this.run) { return this.naming(part)?.colours; }
  cluster(label, part = this.run) { return this.naming(part)?.names[label] ?? String(label + 1); }
  inWords(label, part = this.run) { return this.naming(part)?.names[label] ?? `cluster ${label + 1}`; }
  // How many there are, merged as they were merged.
  clusters(part = this.run) {
    return new Set(Array.from(this.labelsOf(part).labels, (label) => this.into(label, part))).size;
  }
  sureness(object, part = this.run) { return this.labelsOf(part)?.sure[this.data.member[object]] ?? NaN; }
  classColour(object, part = this.run) {
    if (this.veiled) return -1;
    const code = this.data.truth.codes[object];
    return code < 0 ? -1 : this.labelsOf(part)?.classes[code] ?? -1;
  }
  owner(hyperedge, part = this.run) { return this.into(this.labelsOf(part)?.owners[hyperedge] ?? 0, part); }

  // The colour number of a thing along a side; −1 where it has none of its own.
  colourOf(axis, thing, part = this.run) {
    if (axis === "object") return this.label(thing, part);
    if (axis === "hyperedge") return this.owner(thing, part);
    return axis === "cluster" ? thing : -1;
  }

  // The things along a side as they are drawn: which stands at a place, and at which place each stands.
  along(axis) {
    const { standing } = this;
    if (axis === "object" && standing) return { order: standing.rows, place: standing.rowOf };
    if (axis === "hyperedge" && standing) return { order: standing.columns, place: standing.columnOf };
    return IN_TURN;
  }

  // Stretches of one colour along the objects in view, [from, to, colour] as shares of it. `kind`: "label" of the
  // consensus or "classColour" of the truth.
  stretches(kind, [from, to], part = this.run) {
    const labels = this.labelsOf(part), { standing } = this;
    if (!labels || !standing) return [];
    labels.stretches ||= new Map();
    const key = `${kind} ${from} ${to}`, known = labels.stretches.get(key);
    if (known?.standing === standing && known.called === part.called) return known.found;
    const found = stretchesOf(standing.rows, from, to, (object) => this[kind](object, part));
    labels.stretches.set(key, { standing, found, called: part.called });
    if (labels.stretches.size > STRETCHES) labels.stretches.delete(labels.stretches.keys().next().value);
    return found;
  }

  // How many things there are along a side; `drawn`: as many as the picture has, where nothing else is known.
  things(axis, drawn) {
    const { data } = this;
    return { object: data.n, hyperedge: data.starts.at(-1), clustering: data.m }[axis] ?? drawn;
  }

  name(object) { return this.data.ids ? this.data.ids[object] : String(object + 1); }
  window() { return this.zoom || { r0: 0, r1: this.data.n, c0: 0, c1: this.data.n }; }

  // What a thing along a side is called.
  called(axis, thing, part = this.run) {
    if (axis === "object") return this.name(thing);
    if (axis === "hyperedge") return part?.about?.hyperedges[thing] ?? String(thing + 1);
    if (axis === "clustering") return this.data.names[thing];
    return axis === "cluster" ? this.cluster(thing, part) : String(thing + 1);
  }
}

const IN_TURN = { order: { at: (k) => k }, place: { at: (k) => k } };

async function unpackedObjects(message) {
  const said = message.header.data, data = { ...said };
  [data.member, data.rows] = await Promise.all([unpacked(message, said.member), unpacked(message, said.rows)]);
  if (said.truth) data.truth = { codes: await unpacked(message, said.truth.codes), names: said.truth.names };
  data.counts = new Int32Array(data.q);
  for (const p of data.member) data.counts[p]++;
  data.starts = [0];
  for (const k of data.k) data.starts.push(data.starts.at(-1) + k);
  return data;
}

async function unpackedOrder(message, said) {
  if (said.of !== undefined) return said;
  const [rows, columns] = await Promise.all([unpacked(message, said.rows), unpacked(message, said.columns)]);
  return { i: said.i, rows, columns, rowOf: inverse(rows), columnOf: inverse(columns) };
}

// Labels and the colours of base clusters at once; pictures when they are looked at.
async function unpackedFrame(message, said) {
  if (said.k === "same" || said.k === "none") return said;
  const packed = said.k === "labels" ? ["labels", "sure", "second", "owners"] : said.colours ? ["colours"] : [];
  const found = await Promise.all(packed.map((name) => unpacked(message, said[name])));
  const frame = { ...said, ...Object.fromEntries(packed.map((name, k) => [name, found[k]])) };
  if (said.k !== "labels") frame.data = message.part(said.at);
  return frame;
}

function inverse(order) {
  const place = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) place[order[k]] = k;
  return place;
}

const sorted = (keys) => [...(keys || [])].sort((a, b) => a - b);

export function stretchesOf(order, from, to, colour) {
  const size = to - from, first = Math.floor(from), end = Math.min(Math.ceil(to), order.length), found = [];
  let start = first, current = first < end ? colour(order[first]) : null;
  for (let k = first + 1; k <= end; k++) {
    const next = k < end ? colour(order[k]) : null;
    if (next === current && k < end) continue;
    found.push([Math.max((start - from) / size, 0), Math.min((k - from) / size, 1), current]);
    start = k;
    current = next;
  }
  return found;
}

// --- entries ------------------------------------------------------------------------------------------------------

// Where a picture has what is pinned: one index per axis, in turn from the pin's list for that axis. Null when the pin
// does not say: a single object is no entry of a matrix of pairs.
export function whereOf(axes, pin) {
  if (!pin) return null;
  const used = {}, where = [];
  for (const axis of axes) {
    const nth = used[axis] || 0, list = pin.where[axis];
    if (!list || nth >= list.length) return null;
    where.push(list[nth]);
    used[axis] = nth + 1;
  }
  return where;
}

// The pin that names an entry of a picture by one index per axis.
export function pinOf(part, quantity, axes, indices) {
  const where = {};
  axes.forEach((axis, side) => { (where[axis] ||= []).push(indices[side]); });
  return { part, quantity, where };
}

export const samePin = (a, b) => a === b || (Boolean(a && b) && pinId(a) === pinId(b));
export const pinId = (pin) => (pin ? JSON.stringify(Object.entries(pin.where).sort()) : "");
