import assert from "node:assert/strict";
import test from "node:test";
import { Palette, standing } from "../../consensus_core/live/view/colours.js";
import { ticksOf } from "../../consensus_core/live/view/cards/card.js";
import { PALETTE } from "./stand_ins.js";

const palette = new Palette(PALETTE);
const channel = (word) => word & 255;

test("a value stands on its scale, held at the ends", () => {
  const scale = { lo: 0, hi: 2 };
  assert.equal(standing(1, scale, false, false), 0.5);
  assert.equal(standing(-1, scale, false, false), 0);
  assert.equal(standing(9, scale, false, false), 1);
  assert.ok(Number.isNaN(standing(NaN, scale, false, false)));
  assert.equal(standing(0.5, scale, false, true), 0.5); // √(1/4)
  assert.equal(standing(0, { lo: -1, hi: 1 }, true, true), 0.5);
  assert.equal(standing(5, { lo: 3, hi: 3 }, false, false), 0);
});

test("colours grow lighter with the values, whatever range a picture has of its own", () => {
  const scale = { lo: 0, hi: 1 }, table = palette.lookup("sequential", { lo: 0, hi: 0.5 }, scale, false);
  assert.equal(channel(table[0]), 0);
  assert.equal(channel(table[254]), 128);
  assert.equal(table[255], 0); // no value, no colour
  for (let code = 1; code < 255; code++) assert.ok(channel(table[code]) >= channel(table[code - 1]));
});

test("a matrix of zeros looks like nothing", () => {
  assert.ok(palette.lookup("sequential", { lo: 0, hi: 0 }, { lo: 0, hi: 1 }, false).every((colour) => colour === 0));
  assert.ok(palette.lookup("sequential", { lo: 0.25, hi: 0.25 }, { lo: 0, hi: 1 }, false)[0] !== 0);
});

test("clusters beyond the last colour begin again; no label is no cluster", () => {
  assert.equal(palette.cluster(3), palette.cluster(0));
  assert.equal(palette.pixel(-1), 0);
  assert.notEqual(palette.ink(0, true), palette.ink(0, false));
});

// A real .15 was read as .45: contrast changed the colours and not the bar beside them.
test("the ticks of a colour bar stand where their colours do, with contrast too", () => {
  for (const scale of [{ lo: 0, hi: 1 }, { lo: 0, hi: 0.371 }, { lo: 0.9, hi: 1 }, { lo: -0.3, hi: 0.3 }]) {
    const diverging = scale.lo < 0;
    for (const stretched of [false, true]) {
      const ticks = ticksOf(scale, false, diverging, stretched);
      for (const { at, text } of ticks.slice(1, -1)) {
        const value = Number(text.replace("−", "-"));
        assert.ok(Math.abs(standing(value, scale, diverging, stretched) - at) < 2e-3, `${text} at ${at}`);
      }
      assert.deepEqual([ticks[0].at, ticks.at(-1).at], [0, 1]);
      assert.ok(ticks.every((tick, k) => k === 0 || tick.at > ticks[k - 1].at));
    }
  }
  const plain = ticksOf({ lo: 0, hi: 1 }, false, false, false), more = ticksOf({ lo: 0, hi: 1 }, false, false, true);
  assert.notDeepEqual(plain, more);
});

test("a bar says what lies beyond its ends, and powers of ten where it is logarithmic", () => {
  const ticks = ticksOf({ lo: 0, hi: 0.02, over: true }, false, false, false);
  assert.equal(ticks.at(-1).text, "≥ 0.02");
  assert.deepEqual(ticksOf({ lo: -4, hi: 0 }, true, false, false).map(({ text }) => text),
    ["10⁻⁴", "0.01", "0.1", "1"]);
  assert.deepEqual(ticksOf({ lo: 2, hi: 2 }, false, false, false), [{ at: 0, text: "2" }]);
});

test("a colour a person has given goes before ours", () => {
  const own = { 1: "#ffffff" };
  assert.equal(palette.cluster(1, own), "#ffffff");
  assert.equal(palette.cluster(0, own), palette.cluster(0));
  assert.equal(palette.pixel(1, own) >>> 0, 0xffffffff);
  assert.equal(palette.on(1, own), "#000");
  assert.equal(palette.ink(1, false, own), "rgb(199,199,199)");
});
