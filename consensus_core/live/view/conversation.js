// The conversation with whoever answers: one question at a time, the next one when something is lacking. It knows
// neither Streamlit nor any other host: a host gives `ask(question, { page })`, which promises bytes, or null where
// nobody can answer now. `page`: the host's page shall take notice as well.

import { parse } from "./wire.js";

const LOST = 2600; // milliseconds after which an answer counts as lost, and is asked for again
const LONGEST = 8; // times as long is waited at most, where one answer after the other stays away
const HIDDEN = 2000; // between two questions while nobody looks

export class Conversation {
  // `compose(commands)` makes a question, `hear(message)` takes an answer in, `lacking()` says whether to go on asking,
  // `news()` names what the page has to know; it is told when that changes.
  constructor({ ask, compose, hear, lacking, news }) {
    Object.assign(this, { transport: ask, compose, hear, lacking, news });
    this.seq = 0;
    this.todo = {};
    this.unheard = {}; // commands nobody has answered yet: they go along until somebody has
    this.queue = Promise.resolve();
    this.askedAt = 0;
    this.heardOf = 0; // the latest question an answer was heard to
    this.patience = LOST;
    this.pace = 30;
    this.waiting = false;
    this.again = false;
    this.told = undefined;
    this.open = true;
  }

  // Nobody looks for a while: nothing is asked.
  sleep() {
    this.asleep = true;
    clearTimeout(this.timer);
  }

  wake() {
    this.asleep = this.waiting = this.again = false;
    if (this.seq) this.ask();
  }

  // At the next opportunity. `commands`: { do: [...], dial: {...} }.
  ask({ do: commands = [], ...rest } = {}) {
    if (!this.open || this.asleep) return;
    clearTimeout(this.timer);
    this.todo = { ...this.todo, ...rest, do: [...(this.todo.do || []), ...commands] };
    if (this.asking) return;
    if (this.waiting && !(rest.dial && this.yields) && performance.now() - this.askedAt < this.patience) {
      this.again = true;
      this.timer = setTimeout(() => this.ask(), this.patience);
      return;
    }
    if (this.waiting) this.patience = Math.min(2 * this.patience, LONGEST * LOST); // whoever answers is busy
    this.asking = true;
    queueMicrotask(() => {
      this.asking = false;
      if (this.open && !this.asleep) this.send();
    });
  }

  async send() {
    const seq = ++this.seq, news = this.news(), { unheard, todo } = this;
    this.unheard = { ...unheard, ...todo, do: [...(unheard.do || []), ...(todo.do || [])] };
    const question = this.compose({ ...this.unheard, seq });
    const page = news !== null && news !== this.told && !question.dial; // a hand is moving: the page hears afterwards
    this.todo = {};
    // it asks for pictures of what was: a hand on a dial need not wait for them
    this.yields = !page && !this.unheard.dial && !this.unheard.do.length;
    this.waiting = true;
    this.askedAt = performance.now();
    this.timer = setTimeout(() => this.ask(), this.patience);
    let bytes = null;
    try {
      bytes = await this.transport(question, { page });
    } catch { /* nobody is there */ }
    if (!this.open || seq < this.heardOf) return;
    if (seq !== this.seq) { // something else was asked meanwhile; what was said is news all the same
      if (bytes) await this.overtaken(seq, bytes);
      return;
    }
    this.waiting = false;
    if (!bytes) {
      this.later(LOST);
      return;
    }
    this.unheard = {};
    if (page) this.told = news;
    this.patience = LOST;
    this.heardOf = seq;
    await this.heard(bytes);
    if (this.again) {
      this.again = false;
      this.ask();
    } else this.later();
  }

  overtaken(seq, bytes) {
    this.heardOf = seq;
    return this.heard(bytes);
  }

  // What is said, asked for or not.
  heard(bytes) {
    this.queue = this.queue.then(async () => {
      if (!this.open) return;
      const message = parse(bytes);
      this.pace = message.header.pace || 30;
      await this.hear(message);
    }).catch((error) => console.error(error));
    return this.queue;
  }

  // Asks again when it is time, if there is anything to ask for.
  later(wait = Math.max(0, this.pace - (performance.now() - this.askedAt))) {
    if (this.waiting || !this.open || this.asleep) return;
    clearTimeout(this.timer);
    const news = this.news(), untold = news !== null && news !== this.told;
    const wanted = [this.todo, this.unheard].some((one) => one.do?.length || one.dial);
    if (!this.lacking() && !untold && !wanted) return;
    this.timer = setTimeout(() => this.ask(), document.hidden ? HIDDEN : wait);
  }

  close() {
    this.open = false;
    clearTimeout(this.timer);
  }
}
