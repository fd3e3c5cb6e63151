// Graphs and curves: components, the shape around points, distances to it and to a line.

import assert from "node:assert/strict";
import test from "node:test";

import { distance } from "../../consensus_core/live/view/cards/hypergraph.js";
import { offLine } from "../../consensus_core/live/view/cards/graph.js";
import { components, entries, hull } from "../../consensus_core/live/view/entries.js";

test("what hangs together is a component", () => {
  const found = components(6, [0, 1, 1, 2, 4, 5]);
  assert.deepEqual(found.sizes.sort(), [1, 2, 3]);
  assert.equal(found.of[0], found.of[2]);
  assert.notEqual(found.of[0], found.of[4]);
  assert.deepEqual(components(3, []).sizes, [1, 1, 1]);
});

test("the shape around points goes through the outer ones only, once each", () => {
  const square = [[0, 0], [2, 0], [2, 2], [0, 2]];
  assert.deepEqual(hull([...square, [1, 1], [1, 0], [2, 2]]).map(String).sort(), square.map(String).sort());
  assert.deepEqual(hull([[1, 1], [1, 1]]), [[1, 1]]);
  assert.equal(hull([[0, 0], [1, 1], [2, 2]]).length, 2);
});

test("distances", () => {
  const square = hull([[0, 0], [2, 0], [2, 2], [0, 2]]);
  assert.equal(distance(3, 1, square), 1);
  assert.equal(distance(1, 1, square), -1);
  assert.equal(distance(0, 3, [[0, 0]]), 3);
  assert.equal(offLine(1, 1, 0, 0, 2, 0), 1);
  assert.equal(offLine(5, 0, 0, 0, 2, 0), 3);
});

test("an entry is read at the places of its objects, and not where several share a pixel", () => {
  const order = Int32Array.from([1, 0]), model = {
    standing: {}, things: () => 2, along: () => ({ place: order }),
  };
  const frame = { r: 2, c: 2, lo: 0, hi: 254, values: Uint8Array.from([1, 2, 3, 255]) };
  const at = entries(model, frame, "object", "object");
  assert.equal(at(1, 1), 1);
  assert.equal(at(1, 0), 2);
  assert.ok(Number.isNaN(at(0, 0)));
  assert.equal(entries({ ...model, things: () => 9 }, frame, "object", "object"), null);
});
