// Pointing, pinning, asking why, choosing and zooming: what a person singles out, the same in every picture.

import { pinId, pinOf, samePin, whereOf } from "./model.js";

const DWELL = 160; // milliseconds over an entry after which its exact values are asked for
const ANSWERS = 60; // whys remembered

export const entryKey = (entry) => JSON.stringify([entry.run, entry.name, entry.where, entry.iteration]);

export class Pointer {
  constructor(view) {
    this.view = view;
    this.probe = null; // what is pointed at long enough to be asked about
    this.trail = []; // of what is asked why: the pinned entry, then the terms that were opened one after another
    this.answers = new Map(); // entry -> what was told
  }

  get model() { return this.view.model; }

  point(pin, event = null) {
    const { model, view } = this;
    model.pointer = pin;
    clearTimeout(this.dwell);
    if (pin) this.dwell = setTimeout(() => {
      if (view.player.moving || !model.pointer) return;
      this.probe = pin;
      view.ask();
    }, DWELL);
    view.tip(pin && event ? this.named(pin) : null, event);
    view.repaint();
  }

  // Pins an entry and asks why it is what it is, where that can be told. The same once more lets go of it; `keep`: does
  // not.
  pin(pin, keep = false) {
    const { model, view } = this, same = samePin(pin, model.pin) && pin?.quantity === model.pin?.quantity;
    if (same && keep) return;
    model.pin = same ? null : pin;
    this.trail = [];
    if (model.pin?.quantity) this.begin(model.part(model.pin.part) || model.run, model.pin.quantity);
    view.stage.sheet(model.pin && !view.scene.tap && !view.scene.hides("values") ? "up" : "down", "half");
    view.ask();
    view.changed();
  }

  // Another quantity at the pinned place.
  askWhy(part, name) {
    const { model, view } = this, root = this.trail[0];
    if (this.trail.length === 1 && root.run === part.id && root.name === name) return; // to ask again is no unpinning
    model.pin = { ...model.pin, part: part.id, quantity: name };
    this.trail = [];
    this.begin(part, name);
    view.ask();
    view.changed();
  }

  begin(part, name) {
    const quantity = part.quantity(name), where = quantity && whereOf(quantity.axes || [], this.model.pin);
    const { scene } = this.view;
    if (!quantity?.explained || !where || part.pair || scene.tap || scene.hides("values")) return;
    this.trail = [{ run: part.id, name, where, iteration: this.iterationOf(part) }];
  }

  iterationOf(part) { return Math.max(Math.min(this.view.wanted ?? this.model.shown, part.last), 0); }

  // A term of what is told: its own why, at its own iteration; or the end of the trail.
  open(entry, term) {
    const at = this.trail.indexOf(entry), trail = this.trail.slice(0, (at < 0 ? this.trail.length - 1 : at) + 1);
    const next = term.to ? { ...term.to, run: entry.run, symbol: term.symbol }
      : { end: term.end?.length ? term.end : [term.meaning], term, symbol: term.symbol, iteration: entry.iteration };
    this.trail = [...trail, next];
    this.goTo(next);
  }

  back(k) {
    this.trail = this.trail.slice(0, k + 1);
    this.goTo(this.trail[k]);
  }

  // The pictures follow the trail: to the iteration, and to the entry where they have it.
  goTo(entry) {
    const { model, view } = this, part = model.part(entry.run), quantity = part?.quantity(entry.name);
    if (quantity?.axes?.length) model.pin = pinOf(part.id, entry.name, quantity.axes, entry.where);
    if (entry.iteration !== undefined && entry.iteration !== view.wanted) view.scrub(entry.iteration);
    view.ask();
    view.changed();
  }

  // Another iteration is shown, not because of the trail: the why on the screen is now that of this iteration.
  follow() {
    const last = this.trail.at(-1), part = last && this.model.part(last.run);
    if (!last || last.end || !part || last.iteration === this.iterationOf(part)) return;
    this.trail = [{ ...last, iteration: this.iterationOf(part) }];
  }

  // A new run: what it does not show is no longer pinned, and the why of it closes; what it shows is asked anew.
  newRun() {
    const { model } = this, { pin } = model;
    model.pointer = this.probe = null;
    this.answers.clear();
    this.trail = [];
    if (!pin) return;
    const part = model.part(pin.part) || model.run, quantity = pin.quantity && part.quantity(pin.quantity);
    if (pin.quantity && !(quantity && (quantity.card === undefined || whereOf(quantity.axes, pin)))) {
      model.pin = null;
      return;
    }
    model.pin = { ...pin, part: part.id };
    if (pin.quantity) this.begin(part, pin.quantity);
  }

  told(entry) { return this.answers.get(entryKey(entry)); }
  hear(answer) {
    this.answers.set(entryKey({ ...answer }), answer.told || { words: ["Nothing is known about this."], terms: [] });
    if (this.answers.size > ANSWERS) this.answers.delete(this.answers.keys().next().value);
  }

  // The entry whose why is asked for and not told yet.
  get untold() {
    const last = this.trail.at(-1);
    return last && !last.end && !this.told(last) ? last : null;
  }

  select(objects) {
    this.model.selected = new Set(objects);
    this.view.changed();
    this.tell();
  }

  // One selection through all that stands on the page: others hear of it, and may choose as well.
  tell() {
    window.dispatchEvent(new CustomEvent("quorum:selected", { detail: { objects: [...this.model.selected] } }));
  }

  zoomTo(zoom) {
    const { model, view } = this, { n } = model.data;
    if (zoom) {
      const held = (from, length) => Math.min(Math.max(from, 0), n - length);
      const tall = Math.min(Math.max(zoom.r1 - zoom.r0, 4), n), wide = Math.min(Math.max(zoom.c1 - zoom.c0, 4), n);
      const r0 = held(zoom.r0, tall), c0 = held(zoom.c0, wide);
      zoom = tall >= n && wide >= n ? null : { r0, r1: r0 + tall, c0, c1: c0 + wide };
    }
    model.zoom = zoom;
    view.changed();
  }

  zoomBy(factor, y = 0.5, x = 0.5) {
    const { r0, r1, c0, c1 } = this.model.window(), rows = (r1 - r0) * factor, cols = (c1 - c0) * factor;
    const r = r0 + (r1 - r0) * y - rows * y, c = c0 + (c1 - c0) * x - cols * x;
    this.zoomTo({ r0: r, r1: r + rows, c0: c, c1: c + cols });
  }

  // What a pin names, in words.
  named(pin) {
    const { model } = this, part = model.part(pin.part) || model.run, said = [], { object } = pin.where;
    if (object) {
      const named = object.map((one) => `${model.name(one)} (${model.inWords(model.label(one, part), part)})`);
      said.push(`Object${named.length > 1 ? "s" : ""} ${named.join(" and ")}`);
    }
    const kinds = { hyperedge: "base cluster", clustering: "base clustering", cluster: "cluster",
      coordinate: "coordinate", rank: "rank" };
    for (const [axis, list] of Object.entries(pin.where)) if (axis !== "object") {
      const things = list.map((thing) => model.called(axis, thing, part));
      said.push(`${kinds[axis] || axis}${things.length > 1 ? "s" : ""} ${things.join(" and ")}`);
    }
    if (!said.length && pin.quantity) said.push(part.quantity(pin.quantity)?.meaning || pin.quantity);
    return said.join(", ") || "The pinned entry";
  }

  // The exact values of what is pinned or pointed at, to be asked for.
  pointed(pin, at) {
    const where = {};
    for (const part of this.model.parts.values()) {
      const entries = {};
      for (const picture of part.about.pictures) {
        const places = whereOf(picture.axes, pin);
        if (places) entries[picture.name] = places;
      }
      where[part.id] = entries;
    }
    return { id: pinId(pin).slice(0, 250), at, where };
  }
}
