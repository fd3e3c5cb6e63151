// Messages as a server would send them, made by hand.

import { deflateSync } from "node:zlib";

const TYPES = { u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, f4: Float32Array };

// An answer: `build(place)` gives the header, `place(kind, values)` a reference to packed values.
export function answer(build) {
  const parts = [];
  let length = 0;
  const put = (bytes) => {
    const at = [length, bytes.length];
    parts.push(bytes);
    length += bytes.length;
    return at;
  };
  const place = (k, values) => ({ k, at: put(deflateSync(new Uint8Array(new TYPES[k](values).buffer))) });
  const header = new TextEncoder().encode(JSON.stringify(build(place)));
  const size = new Uint8Array(new Uint32Array([header.length]).buffer);
  return Uint8Array.from([...size, ...header, ...parts.flatMap((part) => [...part])]);
}

export const PALETTE = {
  stops: { sequential: ["#000000", "#ffffff"], diverging: ["#ff0000", "#ffffff", "#0000ff"],
    divergingDark: ["#ff0000", "#000000", "#0000ff"] },
  clusters: ["#0072b2", "#d55e00", "#009e73"],
};

const PICTURE = { name: "S", card: "matrix", letter: "S", meaning: "matrix", equation: "", axes: ["object", "object"],
  axisNames: ["objects", "objects"], span: [0, 1], diverging: false, log: false, minor: false, explained: true };

// A run of two iterations on four objects in three microcorners: objects 0 and 3 are alike.
export function first(place, more = {}) {
  return {
    seq: 1, now: 0, pace: 30, count: 2, order: "consensus", standing: "consensus r1", live: false, more: false,
    visible: { r1: ["S"] }, holds: 1e6, look: {}, palette: PALETTE,
    data: { id: "d", title: "four", n: 4, q: 3, m: 2, names: ["a", "b"], k: [2, 2], ids: ["w", "x", "y", "z"],
      member: place("i4", [0, 1, 2, 0]), rows: place("i2", [0, 0, 0, 1, 1, -1]), truth: null },
    placed: { map: place("f4", [0, 0, 1, 1, 2, 2, 0, 0]), mapping: "Objects …" },
    runs: [{
      id: "r1", state: "finished", live: false, count: 2, error: "", left: "", ghosts: [],
      scales: { S: { lo: 0, hi: 1 } },
      about: { title: "A method", name: "M", k: 2, monotone: true, once: false, stretches: "", found: "clusters",
        pictures: [PICTURE], curves: [{ name: "size", letter: "s", meaning: "size", explained: true }], hyperedges: [],
        settings: "k = 2", dials: [], cost: "", quicker: "" },
      rows: [0, 1].map((i) => ({ i, t: 0, f: 1 - i, terms: {}, scalars: { size: i }, scores: { ARI: i }, found: 2,
        stage: "", stop: i ? "converged" : "", remarks: [] })),
    }],
    pairs: [],
    orders: [{ i: 0, rows: place("u2", [3, 0, 2, 1]), columns: place("u2", [2, 0, 1, 3]) }, { i: 1, of: 0 }],
    frames: [
      { u: "r1", n: "", i: 0, k: "labels", labels: place("i2", [0, 1, 1]), sure: place("f4", [1, 0.5, 0.25]),
        second: place("i2", [1, 0, 0]), owners: place("i2", [0, 1, 0, 1]) },
      { u: "r1", n: "", i: 1, k: "same", of: 0 },
      { u: "r1", n: "S", i: 0, k: "u1", r: 2, c: 2, lo: 0, hi: 1, log: false, at: place("u1", [0, 254, 127, 255]).at },
      { u: "r1", n: "S", i: 1, k: "same", of: 0 },
    ],
    ...more,
  };
}
