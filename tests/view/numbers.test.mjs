import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { counted, number } from "../../consensus_core/live/view/numbers.js";

const CASES = JSON.parse(readFileSync(new URL("../number_cases.json", import.meta.url), "utf-8"));

test("a number is written as the table says, which Python is held to as well", () => {
  for (const [value, digits, written] of CASES) assert.equal(number(value, digits), written, `${value}, ${digits}`);
});

test("what is no number is a dash", () => {
  for (const value of [NaN, Infinity, -Infinity, null, undefined]) assert.equal(number(value), "–");
});

test("things are counted", () => {
  assert.equal(counted(1, "object"), "1 object");
  assert.equal(counted(1200, "object"), "1,200 objects");
  assert.equal(counted(2, "entry", "entries"), "2 entries");
});
