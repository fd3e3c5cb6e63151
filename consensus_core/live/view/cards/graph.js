// A matrix of pairs as a graph: objects where the map has them, a line for each link, as strong as it is.

import { components, EACH, entries } from "../entries.js";
import { CLUSTER, pinOf } from "../model.js";
import { counted, grouped, number } from "../numbers.js";
import { register } from "../registry.js";
import { say } from "../dom.js";
import { PointsCard } from "./points.js";

const STEPS = 6; // strengths that are told apart
const MOST = 40_000; // lines that are drawn
const LISTED = 6; // components whose sizes are said

export class GraphCard extends PointsCard {
  places() {
    const { data } = this.model;
    return data?.map ? { xy: data.map, of: "object" } : null;
  }

  pinOf(k) { return k === null ? null : pinOf(this.run.id, CLUSTER, ["object"], [k]); }

  // The pairs that are linked, and how strongly; found once for each frame.
  links() {
    const { model, picture } = this, frame = this.run.frame(picture.name, model.shown);
    if (!frame?.values) return this.found || null;
    if (this.found?.frame === frame && this.found.standing === model.standing) return this.found;
    const at = entries(model, frame, ...picture.axes), { n } = model.data;
    if (!at) return null;
    const ends = [], strengths = [];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) {
      const value = at(i, j);
      if (!(value > 0)) continue;
      ends.push(i, j);
      strengths.push(value);
    }
    const sizes = components(n, ends).sizes.sort((a, b) => b - a);
    this.found = { frame, standing: model.standing, ends, strengths, sizes };
    return this.found;
  }

  paintUnder(ctx, spots) {
    const found = this.model.data.n <= EACH ? this.links() : null;
    this.drawn = found && { links: found.strengths.length, components: found.sizes };
    if (!found) {
      say(this.note, this.model.data.n > EACH ? `Drawn for up to ${EACH} objects.` : "");
      return;
    }
    this.paintLinks(ctx, spots, found);
    this.tell(found);
  }

  paintLinks(ctx, spots, { ends, strengths: values }) {
    const { look, model } = this, most = this.run.scale(this.picture.name, this.found.frame).hi || 1;
    const every = Math.ceil(values.length / MOST), chosen = this.marked(model.pointer)[0] ?? this.marked(model.pin)[0];
    const line = (e) => {
      const [i, j] = [ends[2 * e], ends[2 * e + 1]];
      ctx.moveTo(spots[2 * i], spots[2 * i + 1]);
      ctx.lineTo(spots[2 * j], spots[2 * j + 1]);
    };
    const crowd = Math.min(1, 60 / Math.sqrt(values.length + 1));
    ctx.strokeStyle = look.quiet;
    for (let step = 0; step < STEPS; step++) {
      ctx.beginPath();
      for (let e = 0; e < values.length; e += every) {
        if (Math.min(Math.floor((values[e] / most) * STEPS), STEPS - 1) === step) line(e);
      }
      ctx.lineWidth = 0.4 + (2.2 * (step + 1)) / STEPS * Math.max(crowd, 0.35);
      ctx.globalAlpha = Math.max(0.05, 0.75 * crowd * ((step + 1) / STEPS));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    if (chosen === undefined) return;
    ctx.beginPath();
    for (let e = 0; e < values.length; e++) if (ends[2 * e] === chosen || ends[2 * e + 1] === chosen) line(e);
    ctx.strokeStyle = look.accent;
    ctx.lineWidth = 1.2;
    ctx.stroke();
  }

  tell({ strengths, sizes }) {
    const said = sizes.slice(0, LISTED).map(grouped).join(", ") + (sizes.length > LISTED ? ", …" : "");
    const every = Math.ceil(strengths.length / MOST), some = every > 1 ? ` Every ${every}th line is drawn.` : "";
    say(this.note, `${counted(strengths.length, "link")}, ${counted(sizes.length, "component")}: ${said}.${some}`);
  }

  describe(count) {
    this.alt(`${this.picture.meaning}: ${counted(count, "object")}, ${this.note.textContent}`);
  }

  // The value of the pair pinned or pointed at, as the core has it.
  showReadout(exact) {
    const pin = this.model.pointer || this.model.pin, known = exact?.[this.run.id]?.[this.picture.name];
    say(this.readout, pin?.where.object?.length === 2 && known !== undefined ? number(known) : "");
  }

  // Where no object is near, the line that is.
  nearestLink(x, y, within = 5) {
    const found = this.links(), spots = this.spots();
    let best = null, least = within;
    for (let e = 0; found && e < found.ends.length; e += 2) {
      const [i, j] = [found.ends[e], found.ends[e + 1]];
      const far = offLine(x, y, spots[2 * i], spots[2 * i + 1], spots[2 * j], spots[2 * j + 1]);
      if (far < least) [least, best] = [far, [i, j]];
    }
    return best;
  }

  listen() {
    super.listen();
    const { frame, view } = this, { onpointermove: over, onpointerup: up } = frame;
    const pair = (event) => {
      const [x, y] = this.at(event), near = this.nearest(x, y, 8) === null ? this.nearestLink(x, y) : null;
      return near && pinOf(this.run.id, this.picture.name, this.picture.axes, near);
    };
    frame.onpointermove = (event) => {
      const pin = event.pointerType === "mouse" && !event.buttons ? pair(event) : null;
      if (pin) view.pointer.point(pin, event);
      else over(event);
    };
    frame.onpointerup = (event) => {
      const pin = this.box ? null : pair(event);
      if (!pin) return up(event);
      frame.onpointerleave();
      return view.pointer.pin(pin);
    };
  }
}

export function offLine(x, y, ax, ay, bx, by) {
  const [dx, dy] = [bx - ax, by - ay], long = dx * dx + dy * dy;
  const t = long ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / long, 0), 1) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

register("graph", (view, part, picture) => new GraphCard(view, part, picture));
