// One number per base clustering, cluster, object or rank, as bars from a common zero.

class BarsCard extends Card {
  constructor(view, picture) {
    super(view, {
      title: picture.meaning, letter: picture.letter, equation: picture.equation, kind: "bars", meaning: picture.meaning,
      keys: "Left and right walk through the bars, Enter pins one.",
    });
    this.picture = picture;
    this.listen();
  }

  get model() { return this.view.model; }
  get axis() { return this.picture.axes[0]; }
  tall(width) { return Math.min(Math.max(width * 0.42, 110), 170); }

  plot() { return { left: 40, top: 6, w: this.width - 44, h: this.height - 28 }; }

  paint() {
    const frame = this.model.frame(this.picture.name);
    if (frame?.values) this.held = frame;
    const ctx = this.begin(), { held } = this, { look } = this.view;
    if (!held) return;
    const { left, top, w, h } = this.plot(), values = held.values, scale = this.model.scaleOf(this.picture.name, held);
    const low = Math.min(scale.lo, 0), high = scale.hi > low ? scale.hi : low + 1, y = (v) => top + h - ((v - low) / (high - low)) * h;
    const wide = w / values.length, gap = wide > 5 ? 1.5 : 0, objects = this.axis === "object";
    const { order } = this.model.along(this.axis, this.count());
    ctx.strokeStyle = look.line;
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "right";
    for (const tick of niceTicks(low, high, 3)) {
      ctx.beginPath(); ctx.moveTo(left, y(tick)); ctx.lineTo(left + w, y(tick)); ctx.stroke();
      ctx.fillText(inWords(tick), left - 5, y(tick));
    }
    const chosen = this.chosen();
    for (let k = 0; k < values.length; k++) {
      const thing = order.at(Math.floor(((k + 0.5) / values.length) * this.count()));
      ctx.fillStyle = objects ? clusterColour(this.model.label(thing)) : this.axis === "hyperedge" ? clusterColour(this.model.owner("hyperedge", thing)) : look.accent;
      ctx.globalAlpha = chosen === null || chosen === k || objects ? 1 : 0.5;
      ctx.fillRect(left + k * wide, Math.min(y(values[k]), y(0)), Math.max(wide - gap, 0.7), Math.max(Math.abs(y(values[k]) - y(0)), 0.7));
    }
    ctx.globalAlpha = 1;
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "center";
    ctx.fillText(this.picture.axisNames[0] + (objects || this.axis === "hyperedge" ? " in the pictures' order" : ` 1 to ${this.count()}`), left + w / 2, this.height - 9);
    this.alt(`${this.picture.letter}, ${this.picture.meaning}, at iteration ${this.model.shown}: ${values.length} bars from ${inWords(Math.min(...values))} to ${inWords(Math.max(...values))}.`);
  }

  count() {
    const { data, about } = this.model;
    return { object: data.n, clustering: data.m, hyperedge: about.hyperedges.length }[this.axis] || this.held?.values.length || 0;
  }

  place(pin) {
    if (!pin) return null;
    const thing = pin[this.axis];
    return thing === undefined || thing === null ? null : this.model.along(this.axis, this.count()).place.at(thing);
  }

  chosen() {
    const at = this.place(this.view.pointer) ?? this.place(this.model.pin);
    return at === null || !this.held ? null : Math.floor(((at + 0.5) / this.count()) * this.held.values.length);
  }

  valueOf(pin) {
    const at = this.place(pin);
    return at === null || !this.held ? null : this.held.values[Math.floor(((at + 0.5) / this.count()) * this.held.values.length)];
  }

  showReadout(exact) {
    const value = this.valueOf(this.view.pointer || this.model.pin), known = exact?.[this.picture.name];
    const shared = this.held && this.count() > this.held.values.length;
    say(this.readout, value === null ? "" : known !== undefined ? inWords(known) : `${shared ? "≈ " : ""}${inWords(value)}`);
  }

  pinAt(index) {
    const at = Math.min(Math.max(index, 0), this.count() - 1);
    return { [this.axis]: this.model.along(this.axis, this.count()).order.at(at) };
  }

  under(x) {
    const { left, w } = this.plot();
    return x < left || x >= left + w || !this.held ? null : this.pinAt(Math.floor(((x - left) / w) * this.count()));
  }

  listen() {
    const { frame, view } = this;
    frame.onpointermove = (event) => { if (event.pointerType === "mouse") view.point(this.under(this.at(event)[0]), event, this); };
    frame.onpointerleave = () => view.point(null);
    frame.onpointerup = (event) => {
      const pin = this.under(this.at(event)[0]);
      if (pin) view.pinTo(this.axis === "object" ? pin : { ...(view.model.pin || {}), ...pin }, this.picture.name);
    };
    frame.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) view.point(this.pinAt((this.place(view.pointer) ?? this.place(view.model.pin) ?? -1) + step), null, this);
      else if (event.key === "Enter" && view.pointer) view.pinTo({ ...(view.model.pin || {}), ...view.pointer }, this.picture.name);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }
}
