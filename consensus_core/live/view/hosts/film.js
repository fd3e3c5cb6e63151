// A file as the host: every answer was composed when the film was made. The page holds them one after the other, then
// exact values, then explanations of what was pinned.

import { TYPED, inflate, parse } from "../wire.js";
import { View } from "../view.js";

const NO_MORE = "This film does not hold the explanation of this entry: whoever made it chose others.";

// The film in a document: its element `#about` (JSON) and `#reel` (base64).
export function reelIn(document) {
  const about = JSON.parse(document.getElementById("about").textContent);
  const text = atob(document.getElementById("reel").textContent), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return { about, bytes };
}

export class Film {
  constructor({ about, bytes }) {
    this.about = about;
    this.answers = [];
    let from = 0;
    for (const size of about.answers) {
      this.answers.push(bytes.subarray(from, from + size));
      from += size;
    }
    this.rest = bytes.subarray(from);
    this.values = new Map(about.values.map((said) => [[said.u, said.n, said.i].join(), said]));
    this.given = 0; // answers the view has
    this.members = null;
  }

  // The next of the answers; when all are given, what is asked of single entries.
  async ask(question) {
    if (this.given < this.answers.length) {
      const answer = this.answers[this.given++], { header } = parse(answer);
      if (header.data) this.data = header.data;
      if (header.data) this.members = await unpackedIn(answer, header.data.member);
      this.last = header;
      return said({ ...header, seq: question.seq, more: this.given < this.answers.length }, bodyOf(answer));
    }
    const header = { ...this.last, seq: question.seq, more: false, orders: [], frames: [], details: [] };
    header.runs = this.last.runs.map(({ about, ghosts, ...run }) => ({ ...run, rows: [] }));
    for (const name of ["data", "palette", "look", "placed", "staged"]) delete header[name];
    if (question.detail) header.detailed = question.detail.key;
    for (const [name, asked] of [["pinned", question.pin], ["pointed", question.point]]) {
      if (asked) header[name] = await this.pointed(asked);
    }
    if (question.why) {
      const told = await this.explanations();
      header.why = { ...question.why, told: told.get(keyOf(question.why)) || none() };
    }
    return said(header, new Uint8Array(0));
  }

  // Unpacked when the first is asked for.
  async explanations() {
    if (!this.told) {
      const [from, size] = this.about.told, text = new TextDecoder().decode(
        await inflate(this.rest.slice(from, from + size)));
      this.told = new Map(JSON.parse(text).map((one) => [keyOf(one), one.told]));
    }
    return this.told;
  }

  async pointed({ id, at, where }) {
    const values = {};
    for (const [run, entries] of Object.entries(where)) {
      values[run] = {};
      for (const [name, indices] of Object.entries(entries)) {
        const value = await this.value(run, name, at, indices);
        if (value !== undefined) values[run][name] = value;
      }
    }
    return { id, i: at, values, ms: 0 };
  }

  // One number to the last digit, where the film holds its quantity whole. Of two runs: the second less the first.
  async value(run, name, at, indices) {
    const pair = this.last.pairs.find((one) => one.id === run);
    if (pair) {
      const [one, other] = await Promise.all([pair.one, pair.other].map((id) => this.value(id, name, at, indices)));
      return one === undefined || other === undefined ? undefined : other - one;
    }
    const known = this.last.runs.find((one) => one.id === run), place = Math.min(at, known.count - 1);
    const held = this.values.get([run, name, place].join());
    if (!held) return undefined;
    held.array ||= new Float64Array((await inflate(this.rest.slice(held.at[0], held.at[0] + held.at[1]))).buffer);
    const axes = this.axesOf(run, name);
    const index = indices.map((k, side) => (axes[side] === "object" ? this.members[k] : k));
    const [rows, columns] = held.shape, self = axes.every((axis) => axis === "object") && axes.length === 2;
    // a pair of matrices has its own pairs in a last row
    if (self && rows === columns + 1 && indices[0] === indices[1]) return held.array[columns * columns + index[0]];
    const value = held.array[index.length === 2 ? index[0] * columns + index[1] : index[0]];
    return Number.isFinite(value) ? value : null;
  }

  axesOf(run, name) {
    this.axes ||= new Map();
    const key = `${run} ${name}`;
    if (!this.axes.has(key)) {
      const abouts = this.answers.map((answer) => parse(answer).header.runs.find((one) => one.id === run)?.about);
      const { pictures } = abouts.find(Boolean);
      for (const picture of pictures) this.axes.set(`${run} ${picture.name}`, picture.axes);
    }
    return this.axes.get(key);
  }
}

const keyOf = ({ run, name, where, iteration }) => JSON.stringify([run, name, where, iteration]);
const none = () => ({ words: [NO_MORE], terms: [], formula: [], filled: [], case: "given", said: "" });
const bodyOf = (bytes) => {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return bytes.subarray(4 + length);
};

// A header and what goes with it, as a server would send them.
function said(header, body) {
  const text = new TextEncoder().encode(JSON.stringify(header)), bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(body, 4 + text.length);
  return bytes;
}

async function unpackedIn(answer, ref) {
  const message = parse(answer);
  return new TYPED[ref.k]((await inflate(message.part(ref.at))).buffer);
}

// The caption that stands at a place: the last one from there or before.
export const captionAt = (captions, place) => captions.filter(({ from }) => from <= place).at(-1)?.text || "";

export default function mount(document) {
  const film = new Film(reelIn(document)), root = document.querySelector(".root"), { captions } = film.about;
  root.classList.add("quorum");
  const view = new View(root, { ask: (question) => film.ask(question) });
  const caption = document.querySelector(".caption");
  root.api = view.api;
  view.api.on("painted", ({ i }) => { caption.textContent = captionAt(captions, i); });
  view.ask();
  return view.api;
}
