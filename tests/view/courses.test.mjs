import assert from "node:assert/strict";
import test from "node:test";
import { at, placeUnder, rangeOf, stretchesOf } from "../../consensus_core/live/view/courses.js";

test("the range of several courses, without what has no number", () => {
  assert.deepEqual(rangeOf([[1, null, 3], [2, NaN, -1, 0]]), { low: -1, high: 3, length: 4 });
  assert.deepEqual(rangeOf([[2, 5]], { floor: 0 }), { low: 0, high: 5, length: 2 });
  assert.deepEqual(rangeOf([[2, 5]], { also: [7] }), { low: 2, high: 7, length: 2 });
  assert.deepEqual(rangeOf([[0, 0.01, 10]], { log: true }), { low: 0.01, high: 10, length: 3 });
  const flat = rangeOf([[4, 4]]);
  assert.ok(flat.low < 4 && flat.high > 4);
  assert.ok(rangeOf([[]]).high > rangeOf([[]]).low && rangeOf([[null]], { log: true }).low > 0);
});

test("a new stretch begins where the mark changes", () => {
  assert.deepEqual(stretchesOf([0, 0, 1, 1, 1]), [[0, 1], [2, 4]]);
  assert.deepEqual(stretchesOf([5]), [[0, 0]]);
  assert.deepEqual(stretchesOf([1, 2, 1]), [[0, 0], [1, 1], [2, 2]]);
});

test("the place under a point", () => {
  const plot = { left: 10, w: 100 };
  assert.equal(placeUnder(10, plot, 11), 0);
  assert.equal(placeUnder(61, plot, 11), 5);
  assert.equal(placeUnder(500, plot, 11), 10);
  assert.equal(placeUnder(50, plot, 1), 0);
});

test("a course that ended earlier rests at its end", () => {
  assert.equal(at([1, 2], 7), 2);
  assert.equal(at([1, 2], 0), 1);
});
