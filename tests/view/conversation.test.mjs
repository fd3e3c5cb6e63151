import assert from "node:assert/strict";
import test from "node:test";
import { Conversation } from "../../consensus_core/live/view/conversation.js";
import { answer } from "./stand_ins.js";

globalThis.document = { hidden: false };
const turn = () => new Promise((done) => { setTimeout(done, 0); });

function talk({ lacking = () => false, news = () => null, reply = () => answer(() => ({ pace: 1 })) } = {}) {
  const asked = [], heard = [];
  const conversation = new Conversation({
    ask: async (question, how) => { asked.push({ ...question, ...how }); return reply(question); },
    compose: (commands) => commands, hear: (message) => heard.push(message.header), lacking, news,
  });
  return { asked, heard, conversation };
}

test("one question at a time; what is wanted meanwhile goes with the next", async () => {
  let answerNow;
  const { asked, conversation } = talk({ reply: () => new Promise((done) => { answerNow = done; }) });
  conversation.ask({ do: ["play"] });
  conversation.ask({ do: ["pause"] });
  await turn();
  assert.deepEqual(asked[0].do, ["play", "pause"]);
  conversation.ask({ dial: 1 });
  conversation.ask({ dial: 2 }); // a dial that moved on: only where it stands now
  await turn();
  assert.equal(asked.length, 1);
  answerNow(answer(() => ({})));
  await turn();
  await turn();
  assert.equal(asked.length, 2);
  assert.equal(asked[1].dial, 2);
  conversation.close();
});

test("it asks again while something is lacking, and is silent when nothing is", async () => {
  let left = 3;
  const { asked, conversation } = talk({ lacking: () => --left > 0 });
  conversation.ask();
  for (let k = 0; k < 40 && left > 0; k++) await new Promise((done) => { setTimeout(done, 5); });
  const count = asked.length;
  assert.equal(count, 3);
  await new Promise((done) => { setTimeout(done, 40); });
  assert.equal(asked.length, count);
  conversation.close();
});

test("the page hears of what is new, once", async () => {
  let said = "a";
  const { asked, conversation } = talk({ news: () => said });
  conversation.ask();
  await turn();
  await turn();
  conversation.ask();
  await turn();
  await turn();
  said = "b";
  conversation.later(0);
  for (let k = 0; k < 20 && asked.length < 3; k++) await new Promise((done) => { setTimeout(done, 5); });
  assert.deepEqual(asked.map(({ page }) => page), [true, false, true]);
  conversation.close();
});

test("a hand on a dial does not wait for the page, which hears afterwards", async () => {
  const { asked, conversation } = talk({ news: () => "at rest" });
  conversation.ask({ dial: 1 });
  for (let k = 0; k < 20 && asked.length < 2; k++) await new Promise((done) => { setTimeout(done, 5); });
  assert.deepEqual(asked.map(({ dial, page }) => [dial, page]), [[1, false], [undefined, true]]);
  conversation.close();
});

test("a hand on a dial does not wait for pictures of the run before, a second for the first", async () => {
  const open = [], { asked, heard, conversation } = talk({ reply: () => new Promise((done) => { open.push(done); }) });
  conversation.ask();
  await turn();
  conversation.ask({ dial: 1 });
  await turn();
  conversation.ask({ dial: 2 });
  await turn();
  assert.deepEqual(asked.map(({ dial }) => dial), [undefined, 1]);
  open[1](answer(() => ({ of: "dial" })));
  open[0](answer(() => ({ of: "before" })));
  for (let k = 0; k < 20 && asked.length < 3; k++) await new Promise((done) => { setTimeout(done, 5); });
  assert.deepEqual(heard.map(({ of }) => of), ["dial"]);
  assert.equal(asked[2].dial, 2);
  conversation.close();
});

test("commands of a question nobody answered are asked once more", async () => {
  const replies = [null, answer(() => ({}))];
  const { asked, conversation } = talk({ reply: () => replies.shift() });
  conversation.ask({ do: ["play"] });
  await turn();
  await turn();
  conversation.ask();
  await turn();
  assert.deepEqual(asked.map((one) => one.do), [["play"], ["play"]]);
  conversation.close();
});

test("an answer that was overtaken is heard, one that comes after a later one is not", async () => {
  // on a busy machine every answer came after its question had been given up: nothing was ever shown
  const open = [], { asked, heard, conversation } = talk({ reply: () => new Promise((done) => { open.push(done); }) });
  conversation.ask({ do: ["play"] });
  await turn();
  conversation.askedAt = -1e9; // a long time ago
  conversation.ask();
  await turn();
  assert.deepEqual(asked.map((one) => one.do), [["play"], ["play"]]); // perhaps nobody had heard it
  conversation.askedAt = -1e9;
  conversation.ask();
  await turn();
  open[1](answer(() => ({ n: 2 })));
  await turn();
  open[0](answer(() => ({ n: 1 })));
  await turn();
  assert.deepEqual(heard.map(({ n }) => n), [2]);
  assert.ok(conversation.waiting && conversation.patience > 5000); // and it asks less often
  open[2](answer(() => ({ n: 3 })));
  await turn();
  await turn();
  assert.deepEqual(heard.map(({ n }) => n), [2, 3]);
  conversation.ask();
  await turn();
  assert.deepEqual(asked.at(-1).do, []);
  assert.equal(conversation.patience, 2600);
  conversation.close();
});

test("nothing is asked while nobody looks, nor after the end", async () => {
  const { asked, conversation } = talk();
  conversation.ask();
  await turn();
  conversation.sleep();
  conversation.ask();
  await turn();
  assert.equal(asked.length, 1);
  conversation.wake();
  await turn();
  assert.equal(asked.length, 2);
  conversation.close();
  conversation.ask();
  await turn();
  assert.equal(asked.length, 2);
});
