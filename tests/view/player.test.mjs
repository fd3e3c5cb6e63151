import assert from "node:assert/strict";
import test from "node:test";
import { Player, TRANSITIONS } from "../../consensus_core/live/view/player.js";

const EVENTS = ["begin", "play", "pause", "step", "scrub", "restart", "over", "arrived"];
const STATES = Object.keys(TRANSITIONS);

// A player in a state, and what happens to it.
function after(state, event, facts, payload, goal) {
  const player = new Player();
  Object.assign(player, { state, goal });
  const next = player.on(event, facts, payload);
  return { state: player.state, goal: player.goal, ...next };
}
const MIDDLE = { shown: 3, last: 5, over: false }, END = { shown: 5, last: 5, over: true };
const FRONT = { shown: 5, last: 5, over: false };

test("every transition leads to a state there is, and asks for nothing unknown", () => {
  for (const state of STATES) for (const event of EVENTS) for (const facts of [MIDDLE, END, FRONT]) {
    const next = after(state, event, facts, { to: 2, first: true }, state === "reaching" ? 6 : undefined);
    assert.ok(STATES.includes(next.state), `${state} ${event}`);
    assert.ok((next.do || []).every((one) => ["play", "pause", "step"].includes(one)));
    if (next.show !== undefined) assert.ok(next.show >= 0 && Number.isInteger(next.show), `${state} ${event}`);
  }
});

test("a first run is shown finished, a later one plays from its beginning", () => {
  assert.equal(after("empty", "begin", { shown: -1, last: -1 }, { first: true }).state, "jumping");
  const later = after("resting", "begin", END, { first: false });
  assert.deepEqual(later, { state: "playing", goal: undefined, show: 0, do: [] });
  assert.equal(after("playing", "begin", MIDDLE, { first: false }).show, 0);
});

test("a link names the iteration to go to", () => {
  const there = after("empty", "begin", { shown: -1, last: 9 }, { first: true, at: 4 });
  assert.deepEqual([there.state, there.goal, there.show], ["reaching", 4, 4]);
  assert.equal(after("reaching", "arrived", { shown: 4, last: 9 }, {}, 4).state, "resting");
  // it was longer than the run is
  assert.deepEqual(after("reaching", "over", END, {}, 40), { state: "resting", goal: undefined, show: 5, do: [] });
});

test("what will take long waits to be begun by hand", () => {
  const next = after("empty", "begin", { shown: -1, last: -1 }, { first: true, asleep: true });
  assert.deepEqual([next.state, next.do], ["resting", []]);
  assert.deepEqual(after("resting", "play", { shown: -1, last: -1, over: false }).do, ["play"]);
});

test("play and pause", () => {
  assert.deepEqual(after("playing", "play", MIDDLE), { state: "resting", goal: undefined, show: 3, do: ["pause"] });
  assert.deepEqual(after("jumping", "play", MIDDLE).do, ["pause"]);
  const on = after("resting", "play", MIDDLE);
  assert.deepEqual(on, { state: "playing", goal: undefined, show: undefined, do: ["play"] });
  assert.deepEqual(after("resting", "play", END).show, 0); // at the end: once more
  assert.deepEqual(after("resting", "play", FRONT).show, undefined); // more is to come
});

test("a step further, over what there is and beyond it", () => {
  assert.deepEqual(after("resting", "step", MIDDLE), { state: "resting", goal: undefined, show: 4, do: [] });
  assert.deepEqual(after("resting", "step", FRONT), { state: "reaching", goal: 6, show: 5, do: ["step"] });
  assert.deepEqual(after("resting", "step", END), { state: "resting", goal: undefined });
  assert.deepEqual(after("playing", "step", MIDDLE).do, ["pause"]);
  assert.deepEqual(after("playing", "step", FRONT).do, ["pause", "step"]);
  assert.equal(after("reaching", "step", FRONT, {}, 6).goal, 7);
});

test("scrubbing rests, and stops what plays", () => {
  const there = after("resting", "scrub", MIDDLE, { to: 1 });
  assert.deepEqual(there, { state: "resting", goal: undefined, show: 1, do: [] });
  assert.deepEqual(after("playing", "scrub", MIDDLE, { to: 1 }).do, ["pause"]);
});

test("the end of a run stops what plays only when it is on the screen", () => {
  assert.equal(after("playing", "over", { shown: 3, last: 5, over: true }).state, "playing");
  assert.equal(after("playing", "over", END).state, "resting");
});

test("pictures follow at their pace, or the latest as it comes", () => {
  const player = new Player();
  player.on("begin", { shown: -1, last: -1 }, { first: false });
  player.speed = 10;
  assert.equal(player.next(1000, { shown: 0, last: 5 }, -1), 1);
  assert.equal(player.next(1010, { shown: 1, last: 5 }, -1), null); // not yet
  assert.equal(player.next(1100, { shown: 1, last: 5 }, -1), 2);
  assert.equal(player.next(1190, { shown: 2, last: 5 }, -1), null);
  assert.equal(player.next(1500, { shown: 2, last: 5 }, -1), 3); // late
  assert.equal(player.next(1510, { shown: 3, last: 5 }, -1), 4); // and then no later
  assert.equal(player.next(1300, { shown: 5, last: 5 }, -1), null); // there is no other
  player.speed = 0;
  player.due = 0;
  assert.equal(player.next(1400, { shown: 2, last: 9 }, 7), 7);
  assert.equal(player.next(1400, { shown: 7, last: 9 }, 7), null);
  player.on("pause", { shown: 7, last: 9 });
  assert.equal(player.next(9999, { shown: 7, last: 9 }, 9), null);
});
