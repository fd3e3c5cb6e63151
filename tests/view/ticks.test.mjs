import assert from "node:assert/strict";
import test from "node:test";
import { logTicks, niceTicks } from "../../consensus_core/live/view/ticks.js";

test("round numbers within the ends", () => {
  assert.deepEqual(niceTicks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(niceTicks(0, 20, 4), [0, 5, 10, 15, 20]);
  assert.deepEqual(niceTicks(-1.5, 1.5, 3), [-1, 0, 1]);
  for (const [low, high] of [[0.013, 0.371], [-7e-5, 9e-5], [1e9, 3.3e9], [12, 13]]) {
    const ticks = niceTicks(low, high, 4);
    assert.ok(ticks.length >= 2 && ticks.length <= 9, `${ticks}`);
    assert.ok(ticks.every((tick) => tick >= low - 1e-9 * high && tick <= high * (1 + 1e-9)), `${ticks}`);
  }
});

test("no range, one number", () => assert.deepEqual(niceTicks(3, 3, 4), [3]));

test("powers of ten", () => {
  assert.deepEqual(logTicks(0, 2), [1, 10, 100]);
  assert.ok(logTicks(-9, 3).length <= 5);
  assert.deepEqual(logTicks(0.2, 0.4).map((x) => Math.log10(x).toFixed(1)), ["0.2", "0.4"]);
});
