// Objects as points, coloured by the cluster they have at the shown iteration.

class PointsCard extends Card {
  constructor(view, title, { letter = "", equation = "", places, picture = null, meaning = "" }) {
    super(view, { title, letter, equation, kind: "points", meaning, keys: "Arrow keys walk through the objects, Enter pins one." });
    this.places = places; // () -> { xy, of } with `of` "object" or "microcluster"; null when there is nothing yet
    this.picture = picture;
    this.name = title;
    this.listen();
  }

  get model() { return this.view.model; }
  tall(width) { return Math.min(width - TICKS, 420); }

  // What each point stands for: the microcluster of each object, or other things as they come.
  members(places = this.places()) {
    return places.of === "thing" ? Int32Array.from({ length: places.xy.length / 2 }, (_, k) => k) : this.model.data.member;
  }

  get things() { return this.picture && this.picture.axes[0] !== "object"; }
  labelOf(k) { return this.things ? this.model.owner(this.picture.axes[0], k) : this.model.label(k); }
  pinOf(k) { return k === null ? null : this.things ? { [this.picture.axes[0]]: k } : { object: k }; }

  // Canvas coordinates of every point; kept until the places or the size change.
  spots() {
    const places = this.places();
    if (!places) return null;
    if (this._spots && this._for === places.xy && this._at === `${this.width}x${this.height}`) return this._spots;
    const { data } = this.model, { xy } = places, members = this.members(places);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < xy.length; k += 2) {
      x0 = Math.min(x0, xy[k]); x1 = Math.max(x1, xy[k]);
      y0 = Math.min(y0, xy[k + 1]); y1 = Math.max(y1, xy[k + 1]);
    }
    const spots = new Float32Array(2 * members.length), seen = new Int32Array(members.length);
    const crowd = data.counts.reduce((most, count) => Math.max(most, count), 1), apart = Math.min(2.1, (0.11 * this.width) / Math.sqrt(crowd));
    const pad = places.apart ? Math.max(20, apart * Math.sqrt(crowd) + 6) : 20; // the largest crowd may stand at the edge
    const sx = (this.width - 2 * pad) / (x1 - x0 || 1), sy = (this.height - 2 * pad) / (y1 - y0 || 1);
    for (let object = 0; object < members.length; object++) {
      const p = members[object], from = places.of === "object" ? object : p;
      // objects that share a place stand around it in a sunflower, so that many look like many
      const nth = places.apart ? seen[p]++ : 0, radius = apart * Math.sqrt(nth), angle = nth * 2.39996;
      spots[2 * object] = pad + (xy[2 * from] - x0) * sx + radius * Math.cos(angle);
      spots[2 * object + 1] = this.height - pad - (xy[2 * from + 1] - y0) * sy + radius * Math.sin(angle);
    }
    this._for = places.xy;
    this._at = `${this.width}x${this.height}`;
    return (this._spots = spots);
  }

  paint() {
    const ctx = this.begin(), spots = this.spots(), { model, view } = this, { look } = view;
    ctx.fillStyle = look.soft;
    ctx.beginPath();
    ctx.roundRect(0, 0, this.width, this.height, 6);
    ctx.fill();
    if (!spots || !model.row) return;
    const count = spots.length / 2, some = !this.things && model.selected.size > 0;
    const radius = Math.max(1.4, Math.min(4.2, 60 / Math.sqrt(count))), many = count > 6000;
    const labels = Int32Array.from({ length: count }, (_, k) => this.labelOf(k));
    if (many) this.plot(ctx, spots, labels, some);
    else for (let label = 0; label < CLUSTERS.length; label++) {
      ctx.fillStyle = clusterColour(label);
      ctx.beginPath();
      for (let object = 0; object < count; object++) {
        const mine = labels[object];
        if (mine % CLUSTERS.length !== label || (some && model.selected.has(object))) continue;
        const x = spots[2 * object], y = spots[2 * object + 1];
        ctx.moveTo(x + radius, y);
        ctx.arc(x, y, radius, 0, 6.2832);
      }
      ctx.globalAlpha = some ? 0.28 : 0.86;
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (some) for (const object of model.selected) this.spot(ctx, object, radius + 1, look.text, 1.2);
    const marked = (pin) => (this.things ? [pin[this.picture.axes[0]]] : [pin.object, pin.other]);
    if (model.pin) for (const k of marked(model.pin)) this.spot(ctx, k, radius + 2.5, look.text, 2);
    if (view.pointer) for (const k of marked(view.pointer)) this.spot(ctx, k, radius + 3.5, look.text, 1.5);
    if (this.box) {
      const [a, b, c, d] = this.box;
      ctx.strokeStyle = look.text;
      ctx.setLineDash([4, 3]);
      ctx.strokeRect(Math.min(a, c), Math.min(b, d), Math.abs(c - a), Math.abs(d - b));
      ctx.setLineDash([]);
    }
    const k = new Set(model.row.labels).size, what = this.things ? this.picture.axisNames[0] : "objects";
    this.alt(`${this.name}: ${count.toLocaleString("en-US")} ${what} as points, coloured by ${k} clusters, at iteration ${model.shown}.`);
  }

  // Very many points: straight into the pixels.
  plot(ctx, spots, labels, some) {
    const { scale } = this, wide = this.canvas.width, tall = this.canvas.height, size = Math.round(2 * scale);
    const pixels = ctx.getImageData(0, 0, wide, tall), words = new Uint32Array(pixels.data.buffer);
    for (let k = 0; k < labels.length; k++) {
      const x = Math.round(spots[2 * k] * scale), y = Math.round(spots[2 * k + 1] * scale), colour = clusterPixel(labels[k]);
      if (some && !this.model.selected.has(k)) {
        if (x >= 0 && x < wide && y >= 0 && y < tall) words[y * wide + x] = colour;
        continue;
      }
      for (let dy = 0; dy < size; dy++) for (let dx = 0; dx < size; dx++) {
        if (x + dx >= 0 && x + dx < wide && y + dy >= 0 && y + dy < tall) words[(y + dy) * wide + x + dx] = colour;
      }
    }
    ctx.putImageData(pixels, 0, 0);
  }

  spot(ctx, object, radius, colour, width) {
    const spots = this.spots();
    if (object === undefined || object === null || !spots) return;
    ctx.beginPath();
    ctx.arc(spots[2 * object], spots[2 * object + 1], radius, 0, 6.2832);
    ctx.fillStyle = clusterColour(this.labelOf(object));
    ctx.fill();
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }

  nearest(x, y, within = 14) {
    const spots = this.spots();
    let best = null, least = within * within;
    if (!spots) return null;
    for (let object = 0; object < spots.length / 2; object++) {
      const d = (spots[2 * object] - x) ** 2 + (spots[2 * object + 1] - y) ** 2;
      if (d < least) { least = d; best = object; }
    }
    return best;
  }

  listen() {
    const { frame, view } = this;
    let from = null;
    frame.onpointerdown = (event) => { if (!event.button) from = this.at(event); };
    frame.onpointermove = (event) => {
      const [x, y] = this.at(event);
      if (from && event.pointerType === "mouse" && Math.hypot(x - from[0], y - from[1]) > 5) {
        this.box = [...from, x, y];
        return view.repaint();
      }
      if (event.pointerType !== "mouse") return;
      const object = this.nearest(x, y);
      view.point(this.pinOf(object), event, this);
    };
    frame.onpointerup = (event) => {
      const [x, y] = this.at(event);
      if (this.box) this.choose();
      else if (from) {
        const object = this.nearest(x, y, 20);
        if (object === null) view.select([]);
        else if (event.shiftKey && view.model.pin) view.pinTo({ ...view.model.pin, other: object });
        else view.pinTo(this.pinOf(object));
      }
      from = null;
      this.box = null;
    };
    frame.onpointerleave = () => { from = this.box = null; view.point(null); };
    frame.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const { order, place } = this.model.ordered(), n = order.length;
      const now = view.pointer?.object ?? this.model.pin?.object ?? order[0];
      if (this.things) return;
      if (step) view.point({ object: order[(place[now] + step + n) % n] }, null, this);
      else if (event.key === "Enter" && view.pointer) view.pinTo(view.pointer);
      else if (event.key === "Escape") { view.pinTo(null); view.select([]); } else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }

  choose() {
    if (this.things) return;
    const [a, b, c, d] = this.box, spots = this.spots(), chosen = [];
    for (let object = 0; object < this.model.data.n; object++) {
      const x = spots[2 * object], y = spots[2 * object + 1];
      if (x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d)) chosen.push(object);
    }
    this.view.select(chosen);
  }
}
