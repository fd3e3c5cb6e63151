// What a link says of the view: the pinned entry, the part in view, contrast, the big screen.
//
//   pin=S.3.7               the entry (3, 7) of S, numbered from 0
//   pin=object.3            one object; pin=object.3-clustering.2  its label in one base clustering
//   zoom=100.300.100.300    rows from, to, columns from, to
//   contrast=1  big=1

import { pinOf } from "./model.js";

const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null);

// The view as parameters of a link; what is not there is "".
export function written({ pin, zoom, stretched, big }) {
  return {
    pin: pin ? writtenPin(pin) : "",
    zoom: zoom ? [zoom.r0, zoom.r1, zoom.c0, zoom.c1].map(Math.round).join(".") : "",
    contrast: stretched ? "1" : "",
    big: big ? "1" : "",
  };
}

function writtenPin({ quantity, where, axes }) {
  const lists = Object.entries(where);
  if (!quantity) return lists.map(([axis, list]) => [axis, ...list].join(".")).join("-");
  const used = {}, indices = (axes || lists.flatMap(([axis, list]) => list.map(() => axis))).map((axis) => {
    used[axis] = (used[axis] ?? -1) + 1;
    return where[axis][used[axis]];
  });
  return [quantity, ...indices].join(".");
}

// What a link asks for; `model` knows the run and the objects. A `notice` says what could not be understood.
export function read(asked, model) {
  const found = { pin: null, zoom: null, stretched: asked.contrast === "1", big: asked.big === "1", notice: "" };
  if (asked.zoom) {
    const [r0, r1, c0, c1, ...rest] = asked.zoom.split(".").map(whole);
    const inside = [r0, r1, c0, c1].every((at) => at !== null && at !== undefined && at <= model.data.n);
    const sound = !rest.length && inside && r1 > r0 && c1 > c0;
    if (sound) found.zoom = { r0, r1, c0, c1 };
    else found.notice = "The part in view that this link names is none: everything is shown.";
  }
  if (asked.pin) {
    found.pin = readPin(asked.pin, model);
    if (!found.pin) found.notice = "This link pins an entry that is not shown here.";
  }
  return found;
}

function readPin(text, model) {
  const { run } = model, [name, ...numbers] = text.split("."), quantity = run.quantity(name);
  if (quantity) {
    const axes = quantity.axes || [], indices = numbers.map(whole);
    const fits = indices.length === axes.length && indices.every((at, k) => at !== null && fitting(model, axes[k], at));
    return fits ? pinOf(run.id, name, axes, indices) : null;
  }
  const where = {};
  for (const part of text.split("-")) {
    const [axis, ...list] = part.split("."), indices = list.map(whole);
    const known = ["object", "clustering", "hyperedge"].includes(axis) && indices.length;
    if (!known || indices.some((at) => at === null || !fitting(model, axis, at))) return null;
    where[axis] = indices;
  }
  return { part: run.id, quantity: null, where };
}

const fitting = (model, axis, at) => at < model.things(axis, Infinity);
