import assert from "node:assert/strict";
import test from "node:test";
import { read, written } from "../../consensus_core/live/view/link.js";
import { Model, pinId, pinOf, samePin, stretchesOf, whereOf } from "../../consensus_core/live/view/model.js";
import { parse } from "../../consensus_core/live/view/wire.js";
import { answer, first } from "./stand_ins.js";

async function learned(more) {
  const model = new Model();
  await model.learn(parse(answer((place) => first(place, more?.(place)))));
  model.shown = 0;
  return model;
}

test("a model learns objects, runs, orders, labels and pictures", async () => {
  const model = await learned();
  assert.deepEqual([...model.data.counts], [2, 1, 1]);
  assert.equal(model.reach, 2);
  assert.ok(model.over);
  assert.deepEqual([...model.along("object").order], [3, 0, 2, 1]);
  assert.deepEqual([...model.along("object").place], [1, 3, 2, 0]);
  assert.deepEqual([0, 1, 2, 3].map((object) => model.label(object)), [0, 1, 1, 0]);
  assert.equal(model.sureness(2), 0.25);
  assert.equal(model.owner(3), 1);
  assert.equal(model.along("cluster").order.at(5), 5);
  const frame = await model.decode(model.run, "S", 1);
  assert.deepEqual([...frame.values], [0, 254, 127, 255]);
  assert.equal(model.run.frame("S", 1), model.run.frame("S", 0)); // the same picture, sent once
  const have = { S: "0-1", "": "0-1" };
  assert.deepEqual(model.known(new Map([["r1", ["S"]]])), { r1: { rows: 2, see: ["S"], have } });
  assert.equal(model.heldOrders, "0-1");
});

test("rows in another order make every picture another one; who is in which cluster stays known", async () => {
  const model = await learned();
  const header = { data: undefined, palette: undefined, order: "given", standing: "given", orders: [], frames: [] };
  const fresh = await model.learn(parse(answer((place) => {
    const all = first(place, header), [run] = all.runs;
    return { ...all, placed: undefined, runs: [{ ...run, about: undefined, ghosts: undefined, rows: [] }] };
  })));
  assert.equal(fresh, false);
  assert.deepEqual(model.known(new Map([["r1", ["S"]]])).r1.have, { S: "", "": "0-1" });
  assert.equal(model.heldOrders, "");
});

test("another run is a fresh one and leaves nothing of the one before", async () => {
  const model = await learned();
  const fresh = await model.learn(parse(answer((place) => {
    const all = first(place), [run] = all.runs;
    return { ...all, data: undefined, standing: "consensus r2", runs: [{ ...run, id: "r2" }], orders: [], frames: [] };
  })));
  assert.ok(fresh && model.run.id === "r2" && model.parts.size === 1 && model.run.film.size === 0);
});

test("a pin names any entry, of equal axes too", () => {
  // cluster by cluster was once pinned on the diagonal only: why was silently another entry's
  const pin = pinOf("r1", "R", ["cluster", "cluster"], [0, 2]);
  assert.deepEqual(pin.where, { cluster: [0, 2] });
  assert.deepEqual(whereOf(["cluster", "cluster"], pin), [0, 2]);
  const pair = pinOf("r1", "S", ["object", "object"], [3, 7]);
  assert.deepEqual(whereOf(["object", "object"], pair), [3, 7]);
  assert.deepEqual(whereOf(["object"], pair), [3]);
  assert.equal(whereOf(["object", "hyperedge"], pair), null);
  // one object is no entry of a matrix of pairs
  assert.equal(whereOf(["object", "object"], pinOf("r1", null, ["object"], [3])), null);
  assert.deepEqual(whereOf([], pair), []);
  assert.equal(whereOf(["object"], null), null);
  assert.ok(samePin(pair, pinOf("r2", "W", ["object", "object"], [3, 7])) && !samePin(pair, null));
  assert.notEqual(pinId(pair), pinId(pinOf("r1", "S", ["object", "object"], [7, 3])));
});

test("stretches of one colour, to the last row", () => {
  const colours = [0, 0, 1, 1, 1, 0];
  const of = (from, to) => stretchesOf([0, 1, 2, 3, 4, 5], from, to, (object) => colours[object]);
  assert.deepEqual(of(0, 6), [[0, 2 / 6, 0], [2 / 6, 5 / 6, 1], [5 / 6, 1, 0]]);
  assert.deepEqual(of(1, 3), [[0, 0.5, 0], [0.5, 1, 1]]);
  assert.deepEqual(of(2.5, 4.5), [[0, 1, 1]]);
  // borders once lay half a pixel's row off, and short stretches were left out
  const many = Int32Array.from({ length: 10_000 }, (_, k) => k);
  assert.equal(stretchesOf(many, 0, 10_000, (k) => (k === 7777 ? 1 : 0)).length, 3);
});

test("a link says what is pinned and in view, and is read again", async () => {
  const model = await learned();
  const pin = pinOf("r1", "S", ["object", "object"], [3, 1]);
  const said = written({ pin: { ...pin, axes: ["object", "object"] }, zoom: { r0: 0, r1: 2.4, c0: 1, c1: 3 },
    stretched: true, big: false });
  assert.deepEqual(said, { pin: "S.3.1", zoom: "0.2.1.3", contrast: "1", big: "" });
  const again = read(said, model);
  assert.deepEqual(again.pin, pin);
  assert.deepEqual(again.zoom, { r0: 0, r1: 2, c0: 1, c1: 3 });
  assert.ok(again.stretched && !again.big && !again.notice);
  const label = pinOf("r1", null, ["object", "clustering"], [2, 1]);
  assert.equal(written({ pin: label }).pin, "object.2-clustering.1");
  assert.deepEqual(read({ pin: "object.2-clustering.1" }, model).pin, label);
  assert.deepEqual(read({ pin: "size" }, model).pin, { part: "r1", quantity: "size", where: {} });
});

test("what a link says wrongly is said in a sentence", async () => {
  const model = await learned();
  for (const pin of ["S.3", "S.3.99", "S.a.b", "Q.1.2", "object.4", "object", "x.1-y", "S.1.2.3"]) {
    const found = read({ pin }, model);
    assert.ok(!found.pin && found.notice, pin);
  }
  for (const zoom of ["1", "3.1.0.2", "0.99.0.99", "a.b.c.d"]) assert.ok(read({ zoom }, model).notice, zoom);
  assert.equal(read({}, model).notice, "");
});

test("clusters are called, coloured and merged as a person has it; what was computed stays", async () => {
  const called = { names: { 0: "ash" }, colours: { 0: "#123456" }, into: { 1: 0 } };
  const model = await learned();
  assert.equal(model.cluster(0), "1");
  assert.equal(model.inWords(1), "cluster 2");
  assert.equal(model.clusters(), 2);
  const labels = () => model.known(new Map())[model.run.id].have[""];
  const held = labels(), heard = (said) => model.learnRuns({
    runs: [{ ...model.run, called: said, scales: {}, rows: [] }], pairs: [],
  });
  heard({ ...called, into: {} });
  assert.equal(labels(), held, "a name asks for nothing");
  heard(called);
  assert.equal(labels(), "", "who is sure of merged clusters has to be sent anew");
  assert.deepEqual([0, 1, 2, 3].map((object) => model.label(object)), [0, 0, 0, 0]);
  assert.equal(model.cluster(0), "ash");
  assert.equal(model.inWords(0), "ash");
  assert.equal(model.owner(3), 0);
  assert.equal(model.clusters(), 1);
  assert.equal(model.tints()[0], "#123456");
  assert.deepEqual([...model.labelsOf().labels].sort(), [0, 1, 1]);
});
