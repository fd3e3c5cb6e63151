// Entries of a matrix read off its picture, where each thing along its sides has a pixel of its own.

import { levels, NOTHING } from "./wire.js";

export const EACH = 400; // objects up to which a picture has a pixel for each

// (row thing, column thing) -> its value, within half a code of what was computed; null where things share pixels.
export function entries(model, frame, rows, columns) {
  if (!frame?.values || !model.standing) return null;
  const along = [rows, columns].map((axis) => model.along(axis).place);
  if (frame.r !== model.things(rows, frame.r) || frame.c !== model.things(columns, frame.c)) return null;
  const known = levels(frame);
  return (i, j) => {
    const code = frame.values[along[0].at(i) * frame.c + along[1].at(j)];
    return code === NOTHING ? NaN : known[code];
  };
}

// Which component each of n things is in, and how many there are; `links`: pairs, one after the other.
export function components(n, links) {
  const up = Int32Array.from({ length: n }, (_, k) => k);
  const root = (k) => {
    while (up[k] !== k) k = up[k] = up[up[k]];
    return k;
  };
  for (let e = 0; e < links.length; e += 2) up[root(links[e])] = root(links[e + 1]);
  const numbers = new Map(), of = Int32Array.from({ length: n }, (_, k) => {
    const top = root(k);
    if (!numbers.has(top)) numbers.set(top, numbers.size);
    return numbers.get(top);
  });
  const sizes = Array(numbers.size).fill(0);
  for (const one of of) sizes[one]++;
  return { of, sizes };
}

// The corners of the least convex shape around points [x, y], counter-clockwise on the screen.
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const distinct = sorted.filter((point, k) => !k || point[0] !== sorted[k - 1][0] || point[1] !== sorted[k - 1][1]);
  if (distinct.length < 3) return distinct;
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const found = [];
    for (const point of list) {
      while (found.length > 1 && turn(found.at(-2), found.at(-1), point) <= 0) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return [...half(distinct), ...half(distinct.reverse())];
}
