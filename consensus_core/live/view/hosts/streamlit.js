// Streamlit as the host. Questions go past its page to the server's own way (POST live); through the page go those of
// which the page shall take notice, and all while that way is shut.

import { View } from "../view.js";

const WAY = "live";
const SOON = 202; // the page is between two runs of its script
const AGAIN = 150, TRIES = 40; // milliseconds until it is asked again, and how often
let kept = null; // { view, host }: the page takes its place away and makes a new one; the view moves in again

class Host {
  constructor() {
    this.door = null;
    this.pending = null; // { seq, answered }: what was asked through the page
  }

  // What a script run sends, asked for or not: a run that was under way when something was asked has not heard of it,
  // and what it sends is no answer. Taken for one, a question that got lost would not be asked again.
  receive(component, view) {
    this.component = component;
    const data = component.data instanceof Uint8Array ? component.data : new Uint8Array(component.data);
    if (this.heard === component.data) return;
    this.heard = component.data;
    const { door, seq } = headOf(data), { pending } = this;
    this.door = door || null;
    if (pending && seq >= pending.seq) {
      this.pending = null;
      pending.answered(data);
    } else view.conversation.heard(data).then(() => view.conversation.later());
  }

  async ask(question, { page }) {
    if (!page && this.door) {
      const bytes = await this.aside(question);
      if (bytes) return bytes;
      this.door = null; // until the page has said something again
    }
    return this.throughThePage(question);
  }

  async aside(question) {
    try {
      const home = window.__streamlit?.BACKEND_BASE_URL ?? new URL("./", location.href).href;
      const headers = { "Content-Type": "application/json", "X-Quorum-Door": this.door };
      for (let tries = 0; tries < TRIES; tries++) {
        const answer = await fetch(new URL(WAY, home), { method: "POST", headers, body: JSON.stringify(question) });
        if (answer.status === 200) return new Uint8Array(await answer.arrayBuffer());
        if (answer.status !== SOON) return null;
        // Through the page it would bring along what its widgets said before, and undo what was just chosen.
        await new Promise((then) => setTimeout(then, AGAIN));
      }
      return null;
    } catch {
      return null; // the server is gone, or there is no such way
    }
  }

  throughThePage(question) {
    return new Promise((answered) => {
      this.pending?.answered(null);
      this.pending = { seq: question.seq, answered };
      this.component.setStateValue("ask", { ...question, nonce: Math.random() });
    });
  }
}

// The header of what the page sends says the door, and the question it answers.
function headOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
}

export default function mount(component) {
  const root = component.parentElement.querySelector(".quorum");
  if (!root || !component.data) return undefined;
  if (!kept || (kept.view.root !== root && kept.view.root.isConnected)) {
    const host = new Host();
    kept = { host, view: new View(root, { ask: (question, how) => host.ask(question, how) }) };
  } else if (kept.view.root !== root) kept.view.enter(root);
  const { view, host } = kept;
  root.api = view.api;
  host.receive(component, view);
  return () => {
    if (root.isConnected) return; // one answer overtook another; the place is still there
    if (view.root === root) view.leave();
  };
}
