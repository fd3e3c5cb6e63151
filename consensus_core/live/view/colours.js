// Colours that keep their order in grey and for colour-blind eyes; clusters stand out on white and on black alike.
// Which they are, the server says: once for pages, pictures and notebooks.

import { levels, NOTHING } from "./wire.js";

const STEPS = 1024;
const NO_LABEL = "#9aa0a655";

export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
export const packedColour = ([r, g, b], a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

const luminance = (parts) => parts.map((value) => (value / 255) ** 2.2)
  .reduce((sum, value, k) => sum + value * [0.2126, 0.7152, 0.0722][k], 0);

export function colourAt(stops, t) {
  const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2);
  const a = rgb(stops[k]), b = rgb(stops[k + 1]);
  return a.map((value, at) => Math.round(value + (b[at] - value) * (x - k)));
}

// Where a value stands on a scale, 0 … 1. With more contrast small values get most of the colours: √ from zero or from
// the middle.
export function standing(value, scale, diverging, stretched) {
  const t = scale.hi > scale.lo ? Math.min(Math.max((value - scale.lo) / (scale.hi - scale.lo), 0), 1) : 0;
  if (Number.isNaN(value)) return NaN;
  if (!stretched) return t;
  return diverging ? 0.5 + 0.5 * Math.sign(t - 0.5) * Math.sqrt(Math.abs(2 * t - 1)) : Math.sqrt(t);
}

// The same hue as text: far enough from the paper to be read.
function inkOf(hex, dark) {
  const mixed = rgb(hex).map((value) => Math.round(dark ? value + (255 - value) * 0.42 : value * 0.78));
  return `rgb(${mixed.join(",")})`;
}

export class Palette {
  constructor({ stops, clusters }) {
    this.stops = stops;
    this.clusters = clusters;
    this.pixels = clusters.map((hex) => packedColour(rgb(hex)));
    this.inks = [0, 1].map((dark) => clusters.map((hex) => inkOf(hex, dark)));
    this.ramps = Object.fromEntries(Object.entries(stops).map(([name, list]) => [
      name, Uint32Array.from({ length: STEPS }, (_, k) => packedColour(colourAt(list, k / (STEPS - 1)))),
    ]));
  }

  // `own`: colours a person has given, by the cluster.
  cluster(label, own) { return label < 0 ? NO_LABEL : own?.[label] ?? this.clusters[label % this.clusters.length]; }
  pixel(label, own) {
    if (label < 0) return 0;
    return own?.[label] ? packedColour(rgb(own[label])) : this.pixels[label % this.pixels.length];
  }
  ink(label, dark, own) {
    if (label < 0) return "inherit";
    return own?.[label] ? inkOf(own[label], dark) : this.inks[dark ? 1 : 0][label % this.clusters.length];
  }
  // What can be read on the colour of a cluster.
  on(label, own) { return luminance(rgb(this.cluster(label, own))) > 0.3 ? "#000" : "#fff"; }
  ramp(diverging, dark) { return !diverging ? "sequential" : dark ? "divergingDark" : "diverging"; }
  gradient(name) { return `linear-gradient(90deg, ${this.stops[name].join(", ")})`; }

  // The 256 colours of a picture, on the scale all pictures of the quantity share. What has no value has no colour, nor
  // has anything where every value is 0.
  lookup(ramp, frame, scale, stretched) {
    const table = new Uint32Array(256), diverging = ramp !== "sequential", values = levels(frame);
    if (nothingIn(frame)) return table;
    for (let code = 0; code < NOTHING; code++) {
      table[code] = this.ramps[ramp][Math.round(standing(values[code], scale, diverging, stretched) * (STEPS - 1))];
    }
    return table;
  }
}

export const nothingIn = (frame) => !frame.log && frame.lo === 0 && frame.hi === 0;
