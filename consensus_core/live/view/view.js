// One view in one place: hears, plays, draws, asks for what it lacks. A host gives it an element and `ask`.
//
// `view.api` is what hosts, tests and benchmarks may rely on:
//   shown, last, run, mode ("play" or "hold"), finished, busy, order, method, settings, error, bytes
//   iterations(part)  the numbers of every iteration: { i, f, found, scalars, scores, stop, … }
//   pictures          [{ part, name, card, axes, letter, onScreen }]
//   value(name, pin)  what the picture of a quantity says at a pin
//   exact(name)       what the server has told of it at the one that is pinned
//   pinAt(name, indices)  where a pin must be for one index per axis of a quantity
//   entryAt(name, x, y)  the pin under a point of a picture, by shares of its width and height
//   placeOf(name, pin)   the centre of an entry on the screen, in pixels of the page
//   leftOf(name)         pixels from the left end of a picture's canvas to its entries
//   pinned, pointed, trail, told, selected, zoom, contrast, big, layout, tab, dials
//   play(), pause(), step(), back(), scrub(place), pin(pin), open(term), select(objects), zoomTo(window),
//   turn(name, value), refresh(): asks how things stand
//   on(event, act)    "painted" {i, run, t}, "begun" {run}, "turned" {to}: the player's state, "rested" {i};
//                     gives a function that ends it

import { Conversation } from "./conversation.js";
import { Palette } from "./colours.js";
import { px, say, make } from "./dom.js";
import { read, written } from "./link.js";
import { Model, pinId, pinOf } from "./model.js";
import { number } from "./numbers.js";
import { Player } from "./player.js";
import { Pointer } from "./pointer.js";
import { EVERYTHING, Scene } from "./scene.js";
import { Stage } from "./stage.js";
import { inflate } from "./wire.js";

const SETTLE = 250; // milliseconds at one place after which it counts as settled on
const HAND = 400; // milliseconds without a movement after which the hand on a dial rests
const DETAIL = 400; // objects from which a picture does not show each of them
const COLOURS = { text: "--ink", quiet: "--quiet-ink", soft: "--soft", line: "--line", accent: "--accent",
  ghost: "--ghost" };

export class View {
  // `pageKeys`: keys pressed anywhere on the page play, where nothing else wants them.
  constructor(root, { ask, pageKeys = true }) {
    this.pageKeys = pageKeys;
    this.model = new Model();
    this.player = new Player();
    this.pointer = new Pointer(this);
    this.look = { small: 13, font: "sans-serif" };
    this.palette = null;
    this.stretched = false;
    this.notice = "";
    this.sizes = 0; // changes when sizes of pictures may have changed
    this.rested = null; // where a person came to rest last, and what the link says of it
    this.endings = 0; // how often runs have come to their end
    this.scene = EVERYTHING;
    this.dialled = 0; // how often a hand on a dial has come to rest
    this.root = root;
    this.answers = {};
    this.events = new EventTarget();
    this.stage = new Stage(this);
    this.tipEl = make("div", "tip");
    this.tipEl.hidden = true;
    this.tipEl.setAttribute("aria-hidden", "true");
    this.conversation = new Conversation({
      ask, compose: (commands) => this.question(commands), hear: (message) => this.hear(message),
      lacking: () => this.lacking(), news: () => this.news(),
    });
    this.enter(root);
  }

  // --- coming and going -----------------------------------------------------------------------------------------

  // Moves into an element, with all its pictures: nothing is drawn anew, zoom and pin are kept.
  enter(root) {
    this.leave();
    this.root = root;
    this.gone = new AbortController();
    root.append(this.stage.el, this.tipEl);
    root.tabIndex = -1;
    root.classList.toggle("ready", this.model.shown >= 0);
    root.addEventListener("keydown", (event) => this.keys(event), { signal: this.gone.signal });
    const { signal } = this.gone;
    if (this.pageKeys) document.addEventListener("keydown", (event) => this.keysFromThePage(event), { signal });
    window.addEventListener("quorum:select", ({ detail }) => {
      const { n } = this.model.data || { n: 0 };
      this.pointer.select(detail.objects.filter((object) => Number.isInteger(object) && object >= 0 && object < n));
    }, { signal });
    this.resizer = new ResizeObserver(() => this.resized(true));
    this.resizer.observe(root);
    this.looked = 0;
    if (this.model.run) this.stage.relayout(true);
    this.conversation.wake();
    this.repaint();
  }

  // Lets go of the element and of everything outside of it.
  leave() {
    this.conversation.sleep();
    this.gone?.abort();
    this.resizer?.disconnect();
    this.stage.release();
    for (const timer of ["settling", "resting", "zooming"]) clearTimeout(this[timer]);
    clearTimeout(this.pointer.dwell);
    cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  // For good.
  destroy() {
    this.leave();
    this.conversation.close();
    this.stage.el.remove();
    this.tipEl.remove();
    this.model = new Model();
  }

  // --- hearing --------------------------------------------------------------------------------------------------

  async hear(message) {
    const { header } = message, { model, player } = this, before = model.over, { live } = this.header ?? {};
    const known = model.data?.id === header.data?.id && model.data !== null;
    if (header.palette) this.palette = new Palette(header.palette);
    if (header.holds) this.holds = header.holds;
    if (header.ways) this.ways = header.ways;
    if (!model.data && !header.data) return this.askAnew();
    const unknown = header.runs.some((run) => !model.part(run.id) && !run.about);
    if (unknown) return this.ask();
    const first = player.state === "empty", turned = header.standing !== model.rowsOf;
    const fresh = await model.learn(message);
    if (turned) this.loading = true; // until pictures in this order are on the screen
    if (turned || fresh) this.forget();
    this.header = header;
    if (header.data && !known) this.stage.shape = "";
    const staged = this.hearScene(header);
    if (fresh) this.begin(first, header);
    else if (staged) this.happen("begin", { first: true, asleep: false, at: this.scene.begins });
    if (staged || (fresh && this.scene.key)) this.pinStaged();
    if (header.pinned) this.answers.pinned = header.pinned;
    if (header.pointed) this.answers.pointed = header.pointed;
    if (header.why) this.pointer.hear(header.why);
    await this.learnDetails(message);
    if (fresh && first) this.adopt(header.look || {});
    this.stage.newCurves();
    // a run that was put down because the connection was gone goes on when we are back
    const put = model.runs.some((run) => run.state === "paused" && run.count > 0);
    if (!fresh && player.moving && put && !model.live && !model.over) this.ask(["play"]);
    // the page hears of the end, and of when a run that was put down has come to rest
    if ((!before && model.over) || (live && !header.live)) this.endings++;
    if (this.wanted !== undefined || model.shown >= 0) await this.show(this.wanted ?? model.shown);
    else this.repaint();
    this.advance(performance.now()); // unpacking begins at once, not with the next animation frame
    this.tick();
    return undefined;
  }

  askAnew() {
    this.model.data = null;
    this.ask();
  }

  begin(first, header) {
    const { model } = this, asleep = !header.count && header.runs.every((run) => run.state === "paused");
    model.shown = -1;
    this.wanted = undefined;
    this.answers = {};
    this.stage.newRuns();
    this.pointer.newRun();
    const asked = header.look?.it !== undefined ? Number(header.look.it) : null, { scene } = this;
    const at = Number.isSafeInteger(asked) ? asked : null;
    this.happen("begin", { first: first || Boolean(scene.key), asleep, at: at ?? scene.begins });
    this.player.due = 0;
    this.emit("begun", { run: model.run.id });
  }

  // True when the page wants something else seen from now on.
  hearScene({ scene, staged }) {
    if (scene === undefined || (scene === null ? !this.scene.key : !staged)) return false;
    this.scene = staged ? new Scene(staged) : EVERYTHING;
    this.model.until = this.scene.until;
    this.model.veiled = this.scene.hides("labels");
    this.stage.staged();
    return true;
  }

  // The entry the page points at; none where it points at none.
  pinStaged() {
    const { model, scene, pointer } = this, pin = scene.pin, quantity = pin && model.run.quantity(pin.name);
    pointer.trail = [];
    model.pin = quantity ? pinOf(model.run.id, pin.name, quantity.axes || [], pin.where) : null;
    if (model.pin) pointer.begin(model.run, pin.name);
  }

  // What a link asks of the view.
  adopt(asked) {
    const { model } = this, found = read(asked, model);
    this.notice = found.notice;
    if (found.zoom) model.zoom = found.zoom;
    if (found.stretched) this.stretch(true);
    if (found.pin) {
      model.pin = found.pin;
      if (found.pin.quantity) this.pointer.begin(model.run, found.pin.quantity);
    }
    if (found.big && !this.scene.key) this.setBig(true); // a lesson has a way of its own
  }

  // Sharper pictures of the part in view, for as long as it stays in view.
  async learnDetails(message) {
    for (const said of message.header.details || []) {
      const card = this.stage.cards.get(`${said.u}:${said.n}`);
      card?.sharpen({ ...said, values: new Uint8Array(await inflate(message.part(said.at))) });
    }
    if (message.header.details) this.detailed = message.header.detailed;
  }

  // --- asking ---------------------------------------------------------------------------------------------------

  ask(commands = [], more = {}) { this.conversation.ask({ do: commands, ...more }); }

  question({ seq, do: commands, dial }) {
    const { model, player, pointer } = this;
    if (!model.data || !model.run) return { seq };
    const shown = Math.max(this.wanted ?? model.shown, 0), asked = {
      seq, data: model.data.id, placed: Boolean(model.data.map), order: model.rowsOf, orders: model.heldOrders,
      runs: model.known(this.stage.names()), shown, mode: player.moving ? "play" : "hold",
      newest: player.newest && !this.goingBack,
      full: model.bytes > this.holds, do: commands, look: this.linked(),
    };
    if (this.scene.key) asked.scene = this.scene.key;
    if (dial) asked.dial = dial;
    if (model.pin) asked.pin = pointer.pointed(model.pin, shown);
    if (pointer.probe && !player.moving) asked.point = pointer.pointed(pointer.probe, shown);
    const untold = pointer.untold, detail = this.detail();
    if (untold) asked.why = { run: untold.run, name: untold.name, where: untold.where, iteration: untold.iteration };
    if (detail) asked.detail = detail;
    if (player.state === "resting") asked.settled = model.shown;
    return asked;
  }

  linked() {
    const { pin, zoom } = this.model, part = pin && this.model.part(pin.part);
    const axes = pin?.quantity && part?.quantity(pin.quantity)?.axes;
    return written({ pin: pin && { ...pin, axes }, zoom, stretched: this.stretched, big: this.stage.big });
  }

  // What to ask for when zoomed in further than the pictures at hand can show.
  detail() {
    const { zoom, data, shown, rowsOf } = this.model;
    if (!zoom || this.player.moving || data.n <= DETAIL || shown < 0) return null;
    const window = [Math.floor(zoom.r0), Math.ceil(zoom.r1), Math.floor(zoom.c0), Math.ceil(zoom.c1)], see = {};
    for (const [id, names] of this.stage.names()) {
      const part = this.model.part(id);
      see[id] = part.pair ? [] : names.filter((name) => this.stage.card(part, { name }).sharpen);
    }
    const key = JSON.stringify([rowsOf, shown, window, see]).slice(0, 1200);
    return key === this.detailed ? null : { key, at: shown, window, see };
  }

  // What is still to be asked for.
  lacking() {
    const { model, player, pointer, header, answers } = this;
    if (!model.run) return true;
    if (header.live || header.more || !model.data.map) return true;
    if (model.runs.some((run) => run.rows.length < run.count)) return true;
    const at = Math.max(this.wanted ?? model.shown, 0);
    if (model.last >= 0 && !this.has(at)) return true;
    const stale = (name, pin) => pin && (answers[name]?.id !== pinId(pin).slice(0, 250) || answers[name].i !== at);
    if (player.moving || model.shown < 0) return false;
    return Boolean(stale("pinned", model.pin) || (model.pointer && stale("pointed", pointer.probe)) || pointer.untold ||
      this.detail());
  }

  // What the page has to know: where a person has come to rest, what the link says, that the runs are over, dials.
  news() {
    const { model, player } = this;
    if (!model.run || player.state === "empty") return null;
    // of this scene: the same entry, pinned on the screen before, is another answer
    if (player.state === "resting" && !this.settling) this.rested = [this.scene.key, model.shown, this.linked()];
    return JSON.stringify([this.rested, this.endings, this.dialled]);
  }

  // --- playing --------------------------------------------------------------------------------------------------

  get facts() { return { shown: this.model.shown, last: this.model.last, over: this.model.over }; }

  // Something happens to the player: what it wants shown is shown, what it wants done is asked for.
  happen(event, payload) {
    const before = this.player.state, next = this.player.on(event, this.facts, payload);
    if (!next) return false;
    if (this.player.state !== before) this.emit("turned", { to: this.player.state });
    if (next.show !== undefined) this.show(next.show);
    if (next.do.length) this.ask(next.do);
    if (this.player.state === "resting") this.settleSoon();
    this.repaint();
    this.tick();
    return true;
  }

  play() {
    this.player.due = 0;
    this.happen("play");
    if (this.player.moving && this.wanted !== 0) this.player.hold(performance.now());
  }

  pause() { this.happen("pause"); }
  step() { this.happen("step"); }
  back() { this.scrub(this.model.shown - 1); }
  restart() { this.happen("restart"); }
  scrub(place) { this.happen("scrub", { to: Math.min(Math.max(place, 0), Math.max(this.model.last, 0)) }); }
  setSpeed(speed) {
    this.player.speed = speed;
    this.player.due = 0;
    this.ask();
    this.tick();
  }

  // A dial moves: at once past the page; the page hears of it when the hand rests.
  turn(run, name, value) {
    this.ask([], { dial: { run, name, value } });
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.dialled++;
      this.ask();
    }, HAND);
  }

  settleSoon() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = null;
      if (this.player.state !== "resting") return;
      this.conversation.later(0);
      this.emit("rested", { i: this.model.shown });
      this.repaint();
    }, SETTLE);
  }

  tick() {
    if (this.frame || !this.root.isConnected) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = null;
      if (!this.root.isConnected) return;
      this.advance(now);
      if (this.dirty) this.paint();
      if (this.player.moving || this.dirty) this.tick();
    });
  }

  // Put back to the start: that is waited for, also by who plays what comes. The latest, which is on the screen, is
  // followed by nothing: for the start it would wait for ever.
  get goingBack() { return this.loading && this.wanted < this.model.shown; }

  advance(now) {
    if (this.loading && (!this.player.newest || this.goingBack)) return;
    const next = this.player.next(now, this.facts, this.player.newest ? this.newestHeld() : -1);
    if (next !== null) this.show(next);
    else if (this.model.over && !this.loading) this.happen("over");
  }

  // The latest place whose pictures are here; the one shown where there is none later.
  newestHeld() {
    const { model } = this;
    for (let at = model.last; at > model.shown; at--) if (this.has(at)) return at;
    return model.shown;
  }

  // Whether everything in view of a place is here.
  has(at) {
    const { model } = this;
    if (!model.orders.has(at)) return false;
    for (const [id, names] of this.stage.names()) {
      const part = model.part(id);
      if (!part.pair && part.rows.length && (!part.labels.has(at) || part.stale.has(at))) return false;
      if ((part.pair || part.rows.length) && names.some((name) => !part.holds(name, at))) return false;
    }
    return true;
  }

  // Shows a place once all its pictures in view are here and unpacked: never half a frame, never a blank one.
  async show(place) {
    const { model } = this;
    if (!model.run) return;
    const target = Math.min(Math.max(place, 0), Math.max(model.last, 0));
    this.wanted = target;
    if (model.last < 0) return this.repaint(); // nothing to show yet, but something to say
    this.pointer.follow();
    this.loading = true;
    const turn = this.forget();
    if (!this.has(target)) {
      if (!this.conversation.waiting) this.ask();
      return;
    }
    const late = (part, name) => (part.late.has(name) ? Math.max(target - 1, 0) : target);
    for (const part of model.parts.values()) part.late = this.stage.algorithm.late;
    await Promise.all(this.each((part, name) => model.decode(part, name, late(part, name))));
    if (turn !== this.turnOf) return;
    this.loading = false;
    model.shown = target;
    this.root.classList.add("ready");
    if (this.player.goal === target) this.happen("arrived");
    this.repaint();
    if (this.player.moving) for (let ahead = 1; ahead <= 2; ahead++) {
      this.each((part, name) => part.holds(name, target + ahead) && model.decode(part, name, target + ahead));
    }
    if (!this.conversation.waiting) this.conversation.later();
  }

  // What was wanted before, and still unpacks, is no longer: of another run or order it would show nothing.
  forget() { return (this.turnOf = (this.turnOf || 0) + 1); }

  each(act) {
    return [...this.stage.names()].flatMap(([id, names]) => names.map((name) => act(this.model.part(id), name)));
  }

  // --- keys -----------------------------------------------------------------------------------------------------

  keys(event) {
    const tag = event.composedPath()[0]?.tagName;
    if (event.defaultPrevented || tag === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (tag === "INPUT" && /^(Arrow|Home|End)/.test(event.key)) return;
    const act = {
      " ": () => this.play(), ArrowRight: () => this.step(), ArrowLeft: () => this.back(),
      Home: () => this.restart(), End: () => this.scrub(this.model.last),
      Escape: this.stage.big ? () => this.setBig(false) : null,
    }[event.key];
    if (!act || (event.key === " " && ["BUTTON", "SUMMARY"].includes(tag))) return;
    event.preventDefault();
    act();
  }

  // Where nothing on the page wants the keys for itself, they play: right after the page is opened, or after a slider.
  keysFromThePage(event) {
    const target = event.composedPath()[0];
    if (event.defaultPrevented || !this.root.isConnected || event.composedPath().includes(this.root)) return;
    const slider = target?.closest?.("[role=slider], input[type=range]");
    const other = target?.closest?.("input, textarea, select, button, summary, a, [contenteditable], " +
      "[role=combobox], [role=listbox], [role=dialog], [role=menu]");
    if (slider ? event.key === " " : !other) this.keys(event);
  }

  // --- looks ----------------------------------------------------------------------------------------------------

  stretch(on = !this.stretched) {
    this.stretched = on;
    this.stage.contrast.setAttribute("aria-pressed", String(on));
    this.changed();
  }

  setBig(big) {
    this.stage.setBig(big);
    this.looked = 0;
    this.changed();
  }

  // A run among several, in a word or two: by its method, or by where it stands elsewhere than the others.
  nameOf(part) {
    const { model } = this;
    if (part.pair) return `${this.nameOf(model.part(part.pair.other))} − ${this.nameOf(model.part(part.pair.one))}`;
    const same = model.runs.filter((run) => run.about.name === part.about.name);
    const parts = (run) => run.about.settings.split(", "), all = same.map(parts);
    const own = parts(part).filter((one) => !all.every((other) => other.includes(one)));
    return same.length > 1 && own.length ? `${part.about.name} (${own.join(", ")})` : part.about.name;
  }

  tip(text, event) {
    this.tipEl.hidden = !text || this.stage.layout === "narrow";
    if (this.tipEl.hidden) return;
    say(this.tipEl, text);
    const box = this.root.getBoundingClientRect(), wide = this.root.clientWidth;
    this.tipEl.style.left = `${Math.min(event.clientX - box.left + 14, wide - 180)}px`;
    this.tipEl.style.top = `${event.clientY - box.top + 16}px`;
  }

  // Something the link or the answers follow has changed.
  changed() {
    this.repaint();
    clearTimeout(this.zooming);
    this.zooming = setTimeout(() => { this.zooming = null; this.conversation.later(0); }, SETTLE);
  }

  resized(observed = false) {
    this.sizes++;
    if (observed) this.stage.relayout();
    this.repaint();
  }

  // What is in view is another thing than before.
  lookedAt() {
    this.ask();
    if (this.model.shown >= 0) this.show(this.wanted ?? this.model.shown);
  }

  // Exact values of what is pinned or pointed at, where the server has told them for this place.
  exact(which) {
    const { model, answers } = this;
    const tell = (name, pin) => {
      const answer = pin && answers[name];
      return answer && answer.id === pinId(pin).slice(0, 250) && answer.i === model.shown ? answer.values : null;
    };
    if (which) return tell(which, which === "pinned" ? model.pin : model.pointer);
    if (!model.pointer) return tell("pinned", model.pin);
    return tell("pointed", model.pointer) || tell("pinned", pinId(model.pointer) === pinId(model.pin) && model.pin);
  }

  repaint() {
    this.dirty = true;
    this.tick();
  }

  readLook() {
    if (this.looked && performance.now() - this.looked < 400) return;
    this.looked = performance.now();
    const style = getComputedStyle(this.root);
    this.swatch ||= make("i", "swatch");
    this.root.append(this.swatch);
    const solid = (name) => {
      this.swatch.style.color = `var(${name})`;
      return getComputedStyle(this.swatch).color;
    };
    for (const [key, name] of Object.entries(COLOURS)) this.look[key] = solid(name);
    this.look.font = style.fontFamily;
    const small = px(style.getPropertyValue("--small")) || 13;
    if (small !== this.look.small) this.sizes++;
    this.look.small = small;
    const [red, green, blue] = style.color.match(/[\d.]+/g).map(Number);
    this.look.dark = red * 0.3 + green * 0.59 + blue * 0.11 > 128; // light ink stands on dark paper
  }

  paint() {
    this.dirty = false;
    const { model } = this;
    if (!model.data || !model.run || !this.palette) return;
    this.readLook();
    this.stage.transport.paint();
    if (model.shown < 0 || !model.standing) return;
    this.root.classList.add("ready");
    this.stage.newCurves();
    this.stage.paint(this.exact());
    const row = model.run.row(model.shown);
    this.emit("painted", { i: model.shown, run: model.run.id, t: row?.t });
  }

  emit(name, detail) { this.events.dispatchEvent(new CustomEvent(name, { detail })); }

  get api() { return (this.api_ ||= apiOf(this)); }
}

function apiOf(view) {
  const { pointer, stage, player } = view;
  const cardOf = (name, part = view.model.run) => stage.cards.get(`${part.id}:${name}`);
  return {
    get shown() { return view.model.shown; },
    get last() { return view.model.last; },
    get run() { return view.model.run?.id; },
    get runs() { return view.model.runs.map((run) => ({ id: run.id, name: view.nameOf(run), last: run.last })); },
    get mode() { return player.moving ? "play" : "hold"; },
    get state() { return player.state; },
    get finished() { return view.model.over; },
    get busy() { return Boolean(view.dirty || view.loading); },
    get order() { return view.model.order; },
    get called() { return view.model.naming(); },
    get rows() { return Array.from(view.model.standing?.rows || []); },
    get method() { return view.model.run?.about.name; },
    get settings() { return view.model.run?.about.settings; },
    get error() { return view.model.run?.error; },
    get bytes() { return view.model.bytes; },
    get objects() { return view.model.data?.n ?? 0; },
    get labels() {
      return Array.from(view.model.data?.member || [], (_, object) => view.model.label(object));
    },
    get certainty() {
      return Array.from(view.model.data?.member || [], (_, object) => view.model.sureness(object));
    },
    get pictures() {
      return [...stage.cards.values()].filter((card) => !card.picture.further).map((card) => ({
        part: card.part.id, name: card.picture.name, card: card.picture.card, axes: card.picture.axes,
        letter: card.picture.letter, explained: Boolean(card.picture.explained), onScreen: stage.onScreen.has(card),
      }));
    },
    get further() {
      return [...stage.cards].filter(([, card]) => card.picture.further).map(([key, card]) => ({
        key, name: card.picture.name, card: card.picture.card, onScreen: stage.onScreen.has(card),
        note: card.note?.textContent || "", drawn: card.drawn || null,
      }));
    },
    spots: (key) => Array.from(
      [...stage.cards].find(([one]) => one.endsWith(key))?.[1].spots?.() || []),
    get curves() { return stage.curves.map((card) => ({ title: card.title, scalar: card.scalar || "" })); },
    get ghosts() { return view.model.run?.ghosts || []; },
    iterations(part = view.model.run.id) { return view.model.part(part).rows; },
    value: (name, pin = view.model.pin, part) => cardOf(name, part && view.model.part(part))?.valueAt?.(pin) ?? null,
    exact: (name, part = view.model.run?.id) => view.exact("pinned")?.[part]?.[name],
    scale: (name) => view.model.run.scales[name],
    pinAt: (name, indices) => pinOf(view.model.run.id, name, view.model.run.quantity(name).axes, indices).where,
    entryAt(name, x, y) {
      const card = cardOf(name), { left, top, w, h } = card.plot();
      return card.under(left + x * w, top + y * h);
    },
    placeOf(name, pin) {
      const card = cardOf(name), box = card.canvas.getBoundingClientRect();
      if (card.middleOf) return card.middleOf(pin).map((at, k) => at + [box.left, box.top][k]);
      const { left, top, w, h } = card.plot();
      if (!card.held) return null;
      const at = card.placeOf(pin), spans = Object.values(card.span());
      const share = (k) => (at[k] + 0.5 - spans[k][0]) / (spans[k][1] - spans[k][0]);
      return [box.left + left + share(1) * w, box.top + top + share(0) * h];
    },
    leftOf: (name) => cardOf(name).plot().left,
    get pinned() { return view.model.pin; },
    get pointed() { return view.answers.pointed || null; },
    get trail() { return pointer.trail; },
    get told() {
      const last = pointer.trail.at(-1);
      return last && !last.end ? pointer.told(last) || null : null;
    },
    get selected() { return [...view.model.selected]; },
    get zoom() { return view.model.zoom; },
    get detailed() { return view.detailed; },
    get contrast() { return view.stretched; },
    get big() { return stage.big; },
    get layout() { return stage.layout; },
    get scene() { return view.scene; },
    get line() { return stage.algorithm.line; },
    get tab() { return stage.tab; },
    get dark() { return view.look.dark; },
    get dials() { return view.model.run?.about.dials || []; },
    play: () => view.play(),
    pause: () => view.pause(),
    step: () => view.step(),
    refresh: () => view.ask(),
    back: () => view.back(),
    scrub: (place) => view.scrub(place),
    pin: (pin) => pointer.pin(pin && { part: view.model.run.id, quantity: null, ...pin }, true),
    open: (k) => pointer.open(pointer.trail.at(-1), pointer.told(pointer.trail.at(-1)).terms[k]),
    select: (objects) => pointer.select(objects),
    zoomTo: (window) => pointer.zoomTo(window),
    turn: (name, value, run = view.model.run.id) => view.turn(run, name, value),
    number,
    on(event, act) {
      const heard = (said) => act(said.detail);
      view.events.addEventListener(event, heard);
      return () => view.events.removeEventListener(event, heard);
    },
  };
}
