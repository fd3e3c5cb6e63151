// Hyperedges as closed curves around the objects they hold, each as wide as it weighs: as papers draw a hypergraph.

import { say } from "../dom.js";
import { EACH, entries, hull } from "../entries.js";
import { CLUSTER, pinOf } from "../model.js";
import { counted, number } from "../numbers.js";
import { register } from "../registry.js";
import { PointsCard } from "./points.js";

const MANY = 60; // hyperedges up to which curves can be told apart
const HELD = 0.005; // membership from which an object is inside
const NEAR = 6; // pixels from a curve that count as on it

export class HypergraphCard extends PointsCard {
  places() {
    const { data } = this.model;
    return data?.map ? { xy: data.map, of: "object" } : null;
  }

  pinOf(k) { return k === null ? null : pinOf(this.run.id, CLUSTER, ["object"], [k]); }
  get margin() { return 44; }
  get gap() { return this.model.data.n <= 30 ? 9 : 3; }
  get fits() { return this.model.data.n <= EACH && this.model.things("hyperedge", 0) <= MANY; }

  // Weights by hyperedge; in the picture bars stand in the pictures' order.
  weights() {
    const [name] = this.picture.others, frame = this.run.frame(name, this.model.shown);
    const { place } = this.model.along("hyperedge");
    return frame?.values ? (e) => frame.values[place.at(e)] : null;
  }

  // [{ e, corners, radius, weight, members }] of hyperedges that hold somebody; coinciding curves stand apart.
  curves(spots) {
    const { model, picture } = this, frame = this.run.frame(picture.name, model.shown);
    const at = entries(model, frame, ...picture.axes), weight = this.weights();
    if (!at || !weight) return this.found || [];
    const { n } = model.data, count = model.things("hyperedge", 0), seen = new Map(), found = [];
    for (let e = 0; e < count; e++) {
      const members = [];
      for (let i = 0; i < n; i++) if (at(i, e) > HELD) members.push(i);
      if (!members.length) continue;
      const same = members.join(), nth = seen.get(same) || 0;
      seen.set(same, nth + 1);
      const size = Math.sqrt(members.length / n), radius = 9 + 11 * size + 5 * nth + (e % 3) * 2;
      const corners = hull(members.map((i) => [spots[2 * i], spots[2 * i + 1]]));
      found.push({ e, members, radius, corners, weight: weight(e) });
    }
    this.found = found;
    return found;
  }

  paintUnder(ctx, spots) {
    const { model, view } = this;
    if (!this.fits) {
      say(this.note, `Drawn for up to ${EACH} objects and ${MANY} base clusters.`);
      return;
    }
    const found = this.curves(spots), most = Math.max(...found.map(({ weight }) => weight), 1e-12);
    const chosen = (model.pointer || model.pin)?.where.hyperedge?.[0];
    for (const curve of found) {
      const on = curve.e === chosen;
      this.trace(ctx, curve);
      ctx.fillStyle = ctx.strokeStyle = view.palette.cluster(model.owner(curve.e, this.run), model.tints(this.run));
      ctx.globalAlpha = on ? 0.25 : 0.06;
      ctx.fill();
      ctx.globalAlpha = chosen === undefined || on ? 0.95 : 0.35;
      ctx.lineWidth = 0.6 + (4.4 * curve.weight) / most;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    this.drawn = found.map(({ e, members, weight }) => ({ e, members, weight }));
    const lost = model.things("hyperedge", 0) - found.length;
    say(this.note, `${counted(found.length, "hyperedge")}${lost ? `; ${lost} have lost all their objects` : ""}. ` +
      "The wider, the more it weighs.");
  }

  // Around the corners, at a distance.
  trace(ctx, { corners, radius }) {
    ctx.beginPath();
    if (corners.length === 1) {
      ctx.arc(...corners[0], radius, 0, 6.2832);
      return;
    }
    corners.forEach((corner, k) => {
      const before = corners.at(k - 1), after = corners[(k + 1) % corners.length];
      const off = (a, b) => Math.atan2(a[0] - b[0], b[1] - a[1]); // to the right of the way from a to b
      ctx.arc(...corner, radius, off(before, corner), off(corner, after));
    });
    ctx.closePath();
  }

  // The hyperedge whose curve is near.
  nearestCurve(x, y) {
    let best = null, least = NEAR;
    for (const { e, corners, radius } of this.fits ? this.found || [] : []) {
      const far = Math.abs(distance(x, y, corners) - radius);
      if (far < least) [least, best] = [far, e];
    }
    return best;
  }

  showReadout(exact) {
    const pin = this.model.pointer || this.model.pin, [name] = this.picture.others;
    const known = exact?.[this.run.id]?.[name];
    say(this.readout, pin?.where.hyperedge && known !== undefined ? `${name} = ${number(known)}` : "");
  }

  listen() {
    super.listen();
    const { frame, view } = this, { onpointermove: over, onpointerup: up } = frame;
    const curve = (event) => {
      const [x, y] = this.at(event), e = this.nearest(x, y, 8) === null ? this.nearestCurve(x, y) : null;
      return e === null ? null : pinOf(this.run.id, this.picture.others[0], ["hyperedge"], [e]);
    };
    frame.onpointermove = (event) => {
      const pin = event.pointerType === "mouse" && !event.buttons ? curve(event) : null;
      if (pin) view.pointer.point(pin, event);
      else over(event);
    };
    frame.onpointerup = (event) => {
      const pin = this.box ? null : curve(event);
      if (!pin) return up(event);
      frame.onpointerleave();
      return view.pointer.pin(pin);
    };
  }
}

// How far a point is from a shape of corners; negative inside.
export function distance(x, y, corners) {
  let far = Infinity, inside = corners.length > 2;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length], [dx, dy] = [bx - ax, by - ay], long = dx * dx + dy * dy;
    const t = long ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / long, 0), 1) : 0;
    far = Math.min(far, Math.hypot(x - ax - t * dx, y - ay - t * dy));
    if (dx * (y - ay) - dy * (x - ax) < 0) inside = false;
  });
  return inside ? -far : far;
}

register("hypergraph", (view, part, picture) => new HypergraphCard(view, part, picture));
