// Objects (or other things) as points, coloured by the cluster they have at the shown iteration.

import { make } from "../dom.js";
import { CLUSTER, pinOf } from "../model.js";
import { counted } from "../numbers.js";
import { register } from "../registry.js";
import { Card } from "./card.js";

const MANY = 6000; // points from which they are put straight into the pixels
const GOLDEN = 2.39996; // radians: neighbours in a sunflower

export class PointsCard extends Card {
  // `picture`: of the method; without one, the map of the objects.
  constructor(view, part, picture = null) {
    const said = picture ? { title: picture.meaning, letter: picture.letter, equation: picture.equation } : {
      title: "map of the objects",
    };
    super(view, part, { ...said, kind: "points", keys: "Arrow keys walk through the points, Enter pins one." });
    this.picture = picture;
    this.axis = picture ? picture.axes[0] : "object";
    this.objects = this.axis === "object";
    this.apart = true; // points of one place stand around it
    this.note = make("p", "note");
    this.el.append(this.note);
    this.listen();
  }

  get margin() { return 20; } // pixels around all points
  get gap() { return 2.1; } // between objects that share a place, at most
  tall(width) { return Math.min(width - 34, this.view.stage.most, 420); }

  // Coordinates of microclusters, of every object, or of other things; null when there are none yet.
  places() {
    const { data, shown } = this.model;
    if (this.picture) {
      const frame = this.run.frame(this.picture.name, shown);
      return frame?.values ? { xy: frame.values, of: this.objects ? "microcluster" : "thing" } : null;
    }
    return data?.map ? { xy: data.map, of: "object" } : null;
  }

  // Which of the coordinates each point has.
  sources(places) {
    if (places.of === "microcluster") return this.model.data.member;
    return Int32Array.from({ length: places.xy.length / 2 }, (_, k) => k);
  }

  colourOf(k) { return this.objects ? this.model.label(k, this.run) : this.model.colourOf(this.axis, k, this.run); }

  // Canvas coordinates of every point; kept until the places or the size change.
  spots() {
    const places = this.places(), size = `${this.width}x${this.height}`;
    if (!places) return null;
    if (this.spotted && this.spotted.of === places.xy && this.spotted.size === size) return this.spotted.spots;
    const { data } = this.model, { xy } = places, sources = this.sources(places);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < xy.length; k += 2) {
      x0 = Math.min(x0, xy[k]); x1 = Math.max(x1, xy[k]);
      y0 = Math.min(y0, xy[k + 1]); y1 = Math.max(y1, xy[k + 1]);
    }
    const crowded = places.of === "microcluster" || (places.of === "object" && data.mapping.startsWith("Objects"));
    const crowd = data.counts.reduce((most, count) => Math.max(most, count), 1);
    const apart = Math.min(this.gap, (0.11 * this.width) / Math.sqrt(crowd)), { margin } = this;
    const pad = crowded ? Math.max(margin, apart * Math.sqrt(crowd) + 6) : margin; // a large crowd may be at the edge
    const sx = (this.width - 2 * pad) / (x1 - x0 || 1), sy = (this.height - 2 * pad) / (y1 - y0 || 1);
    const spots = new Float32Array(2 * sources.length), seen = new Int32Array(sources.length);
    for (let k = 0; k < sources.length; k++) {
      // objects that share a place stand around it in a sunflower, so that many look like many
      const nth = crowded ? seen[this.objects ? data.member[k] : k]++ : 0, radius = apart * Math.sqrt(nth);
      spots[2 * k] = pad + (xy[2 * sources[k]] - x0) * sx + radius * Math.cos(nth * GOLDEN);
      spots[2 * k + 1] = this.height - pad - (xy[2 * sources[k] + 1] - y0) * sy + radius * Math.sin(nth * GOLDEN);
    }
    this.spotted = { of: xy, size, spots };
    return spots;
  }

  paint() {
    const ctx = this.begin(), spots = this.spots(), { model, look } = this;
    ctx.fillStyle = look.soft;
    ctx.beginPath();
    ctx.roundRect(0, 0, this.width, this.height, 6);
    ctx.fill();
    if (!spots || !model.labelsOf(this.run)) return;
    this.paintUnder(ctx, spots);
    const count = spots.length / 2, some = this.objects && model.selected.size > 0;
    const radius = Math.max(1.4, Math.min(4.2, 60 / Math.sqrt(count)));
    const colours = Int32Array.from({ length: count }, (_, k) => this.colourOf(k));
    if (count > MANY) this.plot(ctx, spots, colours, some);
    else this.scatter(ctx, spots, colours, some, radius);
    if (some) for (const object of model.selected) this.spot(ctx, object, radius + 1, 1.2);
    for (const k of this.marked(model.pin)) this.spot(ctx, k, radius + 2.5, 2);
    for (const k of this.marked(model.pointer)) this.spot(ctx, k, radius + 3.5, 1.5);
    this.paintBox(ctx);
    this.describe(count);
  }

  // What lies under the points.
  paintUnder() {}

  describe(count) {
    const { model, picture } = this, clusters = model.clusters(this.run);
    const what = this.objects ? "object" : "point", name = picture ? picture.meaning : "Map of the objects";
    if (!picture) this.note.textContent = model.data.mapping;
    this.alt(
      `${name}: ${counted(count, what)}, coloured by ${counted(clusters, "cluster")}, at iteration ${model.shown}.`,
    );
  }

  marked(pin) { return pin?.where[this.axis] || []; }

  scatter(ctx, spots, colours, some, radius) {
    const { palette } = this.view, { selected } = this.model, of = new Map(), own = this.model.tints(this.run);
    colours.forEach((colour, k) => {
      const tint = palette.cluster(colour, own);
      if (!of.has(tint)) of.set(tint, []);
      if (!some || !selected.has(k)) of.get(tint).push(k);
    });
    ctx.globalAlpha = some ? 0.28 : 0.86;
    for (const [tint, mine] of of) {
      ctx.fillStyle = tint;
      ctx.beginPath();
      for (const k of mine) {
        ctx.moveTo(spots[2 * k] + radius, spots[2 * k + 1]);
        ctx.arc(spots[2 * k], spots[2 * k + 1], radius, 0, 6.2832);
      }
      ctx.fill();
    }
    ctx.globalAlpha = 1;
  }

  // Very many points: straight into the pixels.
  plot(ctx, spots, colours, some) {
    const scale = this.dots, wide = this.canvas.width, tall = this.canvas.height;
    const size = Math.round(2 * scale), { selected } = this.model, { palette } = this.view;
    const own = this.model.tints(this.run);
    const pixels = ctx.getImageData(0, 0, wide, tall), words = new Uint32Array(pixels.data.buffer);
    const inside = (x, y) => x >= 0 && x < wide && y >= 0 && y < tall;
    for (let k = 0; k < colours.length; k++) {
      const x = Math.round(spots[2 * k] * scale), y = Math.round(spots[2 * k + 1] * scale);
      const edge = some && !selected.has(k) ? 1 : size, colour = palette.pixel(colours[k], own);
      for (let dy = 0; dy < edge; dy++) for (let dx = 0; dx < edge; dx++) {
        if (inside(x + dx, y + dy)) words[(y + dy) * wide + x + dx] = colour;
      }
    }
    ctx.putImageData(pixels, 0, 0);
  }

  paintBox(ctx) {
    if (!this.box) return;
    const [a, b, c, d] = this.box;
    ctx.strokeStyle = this.look.text;
    ctx.setLineDash([4, 3]);
    ctx.strokeRect(Math.min(a, c), Math.min(b, d), Math.abs(c - a), Math.abs(d - b));
    ctx.setLineDash([]);
  }

  spot(ctx, k, radius, width) {
    const spots = this.spots();
    if (!spots || 2 * k >= spots.length) return;
    ctx.beginPath();
    ctx.arc(spots[2 * k], spots[2 * k + 1], radius, 0, 6.2832);
    ctx.fillStyle = this.view.palette.cluster(this.colourOf(k), this.model.tints(this.run));
    ctx.fill();
    ctx.strokeStyle = this.look.text;
    ctx.lineWidth = width;
    ctx.stroke();
  }

  nearest(x, y, within = 14) {
    const spots = this.spots();
    let best = null, least = within * within;
    for (let k = 0; spots && k < spots.length / 2; k++) {
      const d = (spots[2 * k] - x) ** 2 + (spots[2 * k + 1] - y) ** 2;
      if (d < least) { least = d; best = k; }
    }
    return best;
  }

  // A point as a pin: of an embedding its first coordinate (the panel offers the others), of the map its cluster.
  pinOf(k) {
    if (k === null) return null;
    const axes = this.picture ? this.picture.axes : ["object"];
    return pinOf(this.run.id, this.picture?.name ?? CLUSTER, axes, [k, 0].slice(0, axes.length));
  }

  listen() {
    const { frame, view } = this, { pointer } = view;
    let from = null;
    frame.onpointerdown = (event) => { if (!event.button) from = this.at(event); };
    frame.onpointermove = (event) => {
      const [x, y] = this.at(event);
      if (from && event.pointerType === "mouse" && Math.hypot(x - from[0], y - from[1]) > 5) {
        this.box = [...from, x, y];
        view.repaint();
      } else if (event.pointerType === "mouse") pointer.point(this.pinOf(this.nearest(x, y)), event);
    };
    frame.onpointerup = (event) => {
      const [x, y] = this.at(event);
      if (this.box) this.choose();
      else if (from) this.take(this.nearest(x, y, 20), event.shiftKey);
      from = null;
      this.box = null;
    };
    frame.onpointerleave = () => { from = this.box = null; pointer.point(null); };
    frame.onkeydown = (event) => this.keys(event);
  }

  // With shift a second object beside the one that is pinned: a pair.
  take(k, second) {
    const { pointer } = this.view, { pin } = this.model;
    if (k === null) pointer.select([]);
    else if (second && this.objects && pin?.where.object) {
      pointer.pin(pinOf(this.run.id, null, ["object", "object"], [pin.where.object[0], k]));
    } else pointer.pin(this.pinOf(k));
  }

  keys(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], { model, view } = this;
    const count = (this.spots()?.length || 0) / 2, { order, place } = model.along(this.axis);
    const now = this.marked(model.pointer)[0] ?? this.marked(model.pin)[0] ?? order.at(0);
    if (step && count) view.pointer.point(this.pinOf(order.at((place.at(now) + step + count) % count)));
    else if (event.key === "Enter" && model.pointer) view.pointer.pin(model.pointer);
    else if (event.key === "Escape" && (model.pin || model.selected.size)) {
      view.pointer.pin(null);
      view.pointer.select([]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose() {
    if (!this.objects) return;
    const [a, b, c, d] = this.box, spots = this.spots(), chosen = [];
    for (let object = 0; object < this.model.data.n; object++) {
      const x = spots[2 * object], y = spots[2 * object + 1];
      if (x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d)) chosen.push(object);
    }
    this.view.pointer.select(chosen);
  }
}

register("points", (view, part, picture) => new PointsCard(view, part, picture));
