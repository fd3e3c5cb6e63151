// The conversation with whoever answers: one question at a time, the next one when something is lacking. It knows
// neither Streamlit nor any other host: a host gives `ask(question, { page })`, which promises bytes, or null where
// nobody can answer now. `page`: the host's page shall take notice as well.

import { parse } from "./wire.js";

const LOST = 2600; // milliseconds after which an answer counts as lost, and is asked for again
const HIDDEN = 2000; // between two questions while nobody looks

export class Conversation {
  // `compose(commands)` makes a question, `hear(message)` takes an answer in, `lacking()` says whether to go on asking,
  // `news()` names what the page has to know; it is told when that changes.
  constructor({ ask, compose, hear, lacking, news }) {
    Object.assign(this, { transport: ask, compose, hear, lacking, news });
    this.seq = 0;
    this.todo = {};
    this.queue = Promise.resolve();
    this.askedAt = 0;
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
    if (this.waiting && performance.now() - this.askedAt < LOST) {
      this.again = true;
      this.timer = setTimeout(() => this.ask(), LOST);
      return;
    }
    this.asking = true;
    queueMicrotask(() => {
      this.asking = false;
      if (this.open && !this.asleep) this.send();
    });
  }

  async send() {
    const seq = ++this.seq, news = this.news(), commands = this.todo;
    const question = this.compose({ ...commands, seq });
    const page = news !== null && news !== this.told;
    this.todo = {};
    this.waiting = true;
    this.askedAt = performance.now();
    this.timer = setTimeout(() => this.ask(), LOST);
    let bytes = null;
    try {
      bytes = await this.transport(question, { page });
    } catch { /* nobody is there */ }
    if (!this.open || seq !== this.seq) return; // something else was asked meanwhile
    this.waiting = false;
    if (!bytes) {
      this.todo = { ...commands, ...this.todo, do: [...(commands.do || []), ...(this.todo.do || [])] };
      this.later(LOST);
      return;
    }
    if (page) this.told = news;
    await this.heard(bytes);
    if (this.again) {
      this.again = false;
      this.ask();
    } else this.later();
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
    if (!this.lacking() && !untold && !this.todo.do?.length && !this.todo.dial) return;
    this.timer = setTimeout(() => this.ask(), document.hidden ? HIDDEN : wait);
  }

  close() {
    this.open = false;
    clearTimeout(this.timer);
  }
}
