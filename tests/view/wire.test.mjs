import assert from "node:assert/strict";
import test from "node:test";
import { levels, parse, spans, unpacked, valueOf } from "../../consensus_core/live/view/wire.js";
import { answer } from "./stand_ins.js";

test("a header and packed arrays come apart again", async () => {
  const message = parse(answer((place) => ({ a: place("f4", [1.5, -2]), b: place("u2", [65535, 1]), say: "ö" })));
  assert.equal(message.header.say, "ö");
  assert.deepEqual([...await unpacked(message, message.header.a)], [1.5, -2]);
  assert.deepEqual([...await unpacked(message, message.header.b)], [65535, 1]);
});

test("bytes that begin in the middle of a buffer are read from there", () => {
  const bytes = answer(() => ({ x: 1 })), shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.equal(parse(shifted.subarray(3)).header.x, 1);
});

test("places held are written in spans", () => {
  assert.equal(spans([0, 1, 2, 5]), "0-2,5");
  assert.equal(spans([7]), "7");
  assert.equal(spans([]), "");
});

test("codes stand evenly for values, most of them in the inner range", () => {
  const even = { lo: -1, hi: 3 };
  assert.equal(valueOf(even, 0), -1);
  assert.equal(valueOf(even, 127), 1);
  assert.equal(valueOf(even, 254), 3);
  assert.ok(Number.isNaN(valueOf(even, 255)));
  const far = { lo: 0, hi: 1, inner: [0, 0.02] }, values = levels(far);
  assert.equal(values[254], 1);
  assert.ok(Math.abs(values[227] - 0.02) < 1e-12 && values[114] < 0.011 && values[114] > 0.009);
  const both = levels({ lo: -5, hi: 9, inner: [0, 1] });
  assert.deepEqual([both[0], both[27], both[227], both[254]], [-5, 0, 1, 9]);
  assert.ok([...both].every((value, k) => k === 0 || value > both[k - 1]));
  assert.equal(valueOf({ lo: -3, hi: 0, log: true }, 254), 1);
  assert.deepEqual(new Set(levels({ lo: 2, hi: 2 })), new Set([2]));
});
