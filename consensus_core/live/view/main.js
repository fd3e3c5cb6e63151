// One view per place in the page: hears the server, plays the frames, draws, asks for what it lacks.

class View {
  constructor(root) {
    this.root = root;
    this.model = new Model();
    this.cards = new Map();
    this.curves = [];
    this.mode = "hold";
    this.speed = 10;
    this.stretched = false;
    this.jump = true; // the first run seen is shown finished
    this.pointer = null;
    this.answers = {};
    this.look = {};
    this.queue = Promise.resolve();
    this.seen = 0;
    this.due = 0;
    this.build();
    document.addEventListener("keydown", (event) => this.keysFromThePage(event));
    this.resizer = new ResizeObserver(() => { this.sizes = (this.sizes || 0) + 1; this.arrange(); this.repaint(); });
    this.inhabit(root);
  }

  // Streamlit now and then takes the place away and makes a new one (another page and back, two runs that overtake each
  // other). The view moves in with all its pictures: nothing is drawn anew, zoom and pin are kept.
  inhabit(root) {
    if (root !== this.root) root.append(...this.root.childNodes);
    this.resizer.disconnect();
    this.root = root;
    this.resizer.observe(root);
    root.tabIndex = -1;
    root.onkeydown = (event) => this.keys(event);
    this._looked = 0;
    this.waiting = false;
    this.repaint();
  }

  build() {
    this.transport = new Transport(this);
    this.stage = make("div", "pictures stage");
    this.pictures = make("div", "pictures");
    this.curveRow = make("div", "curves main");
    this.scalarRow = make("div", "curves");
    this.more = make("details", "more");
    this.minorPictures = make("div", "pictures");
    this.minorCurves = make("div", "curves");
    this.more.append(make("summary"), this.minorPictures, this.minorCurves);
    this.more.ontoggle = () => { this.ask(); this.repaint(); };
    this.lower = make("div", "lower");
    this.map = new PointsCard(this, "map of the objects", { places: () => this.mapPlaces() });
    this.tracks = new TracksCard(this, "base clusterings beside the consensus");
    this.why = new WhyPanel(this);
    this.clusters = new ClustersPanel(this);
    this.uncertain = new UncertainPanel(this);
    this.tools = make("div", "tools");
    this.zoomNote = make("span", "note");
    const tool = (label, text, act) => {
      const button = make("button", "tool", text);
      button.type = "button";
      button.setAttribute("aria-label", label);
      button.title = label;
      button.onclick = act;
      return button;
    };
    this.contrast = tool("More contrast: small values get most of the colours", "contrast", () => {
      this.stretched = !this.stretched;
      this.contrast.setAttribute("aria-pressed", String(this.stretched));
      this.repaint();
    });
    this.contrast.setAttribute("aria-pressed", "false");
    this.tools.append(
      this.zoomNote, this.contrast, tool("Zoom in", "+", () => this.zoomBy(1 / 1.5)), tool("Zoom out", "−", () => this.zoomBy(1.5)),
      tool("Show everything", "all", () => this.zoomTo(null)),
    );
    this.tip = make("div", "tip");
    this.tip.hidden = true;
    this.tip.setAttribute("aria-hidden", "true");
    this.root.append(this.transport.el, this.tools, this.stage, this.why.el, this.curveRow, this.pictures, this.lower, this.scalarRow, this.more, this.tip);
  }

  // --- hearing ------------------------------------------------------------------------------------------------

  receive(component) {
    this.component = component;
    const message = parse(component.data);
    if (message.header.now === this.heardAt) return;
    this.heardAt = message.header.now;
    this.door = message.header.door;
    this.queue = this.queue.then(() => this.absorb(message)).catch((error) => console.error(error));
  }

  async absorb(message) {
    const { header } = message, { model } = this;
    this.waiting = false;
    if (header.data) await model.learnObjects(message);
    const fresh = header.run !== model.run;
    if (fresh && !header.about) return this.ask();
    if (fresh) this.startRun(message);
    if (this.header?.live && !header.live) this.told = null; // the page hears of the end
    this.header = header;
    if (header.ghosts) model.ghosts = header.ghosts.filter((ghost) => ghost.name === model.about.name);
    if (header.order !== model.order) {
      model.order = header.order;
      model.film = new Map();
      model.decoded = new Map();
      model.bytes = 0;
    }
    if (header.rows.length && header.rows[0].i <= model.rows.length) model.learnRows(message);
    model.learnFrames(message);
    if (header.pinned) this.answers.pin = header.pinned;
    if (header.probed) this.answers.probe = header.probed;
    await this.learnDetails(message);
    if (fresh) this.firstOf(header);
    // a run that was put down because the connection was gone goes on when we are back
    if (!fresh && this.mode === "play" && header.state === "paused" && !this.todo?.length) this.todo = ["play"];
    if (this.wanted !== undefined && model.shown !== this.wanted) this.show(this.wanted);
    else if (model.shown >= 0) this.show(model.shown);
    else this.repaint();
    this.advance(performance.now()); // unpacking begins at once, not with the next animation frame
    this.tick();
    if (this.again) {
      this.again = false;
      this.ask();
    } else this.askLater();
  }

  // Sharper pictures of the part in view, for as long as it stays in view.
  async learnDetails(message) {
    for (const frame of message.header.details || []) {
      frame.values = new Uint8Array(await inflate(message.part(frame.at)));
      this.cards.get(frame.n)?.sharpen(frame);
    }
    if (message.header.details) this.detailed = message.header.detailed;
  }

  // What to ask for when zoomed in further than the pictures at hand can show.
  detail() {
    const { zoom, data, shown, run, order } = this.model;
    if (!zoom || this.mode !== "hold" || data.n <= 400 || shown < 0) return null;
    const window = [Math.floor(zoom.r0), Math.ceil(zoom.r1), Math.floor(zoom.c0), Math.ceil(zoom.c1)];
    const names = this.names().filter((name) => this.cards.get(name).picture.draw === "matrix");
    const key = JSON.stringify([run, order, shown, window, names]);
    return key === this.detailed ? null : { key, i: shown, window, names };
  }

  startRun(message) {
    const { model } = this, before = model.about;
    model.startRun(message);
    model.shown = -1;
    this.wanted = this.jump ? undefined : 0;
    this.answers = {};
    const key = (about) => about && JSON.stringify([about.pictures.map((p) => [p.name, p.draw, p.axes]), about.curves]);
    if (key(before) !== key(model.about)) this.buildCards();
    this._curves = null;
  }

  // The first run is shown finished (or where a link points); a later one plays from its beginning.
  firstOf(header) {
    if (!header.count && header.state === "paused") {
      this.mode = "hold"; // so much work that it waits to be begun by hand
      this.jump = false;
    } else if (header.goto !== null && header.goto !== undefined && this.jump) {
      this.mode = "hold";
      this.wanted = header.goto;
      this.goal = header.goto;
      this.jump = false;
    } else if (this.jump) this.mode = "play";
    else {
      this.mode = "play";
      this.wanted = 0;
      this.due = 0;
    }
  }

  buildCards() {
    const { model } = this;
    this.cards = new Map();
    const draw = {
      matrix: (picture) => new MatrixCard(this, picture),
      bars: (picture) => new BarsCard(this, picture),
      map: (picture) => new PointsCard(this, picture.meaning, {
        letter: picture.letter, equation: picture.equation, picture,
        places: () => { const frame = model.frame(picture.name); return frame?.values ? { xy: frame.values, of: picture.axes[0] === "object" ? "microcluster" : "thing", apart: picture.axes[0] === "object" } : null; },
      }),
      tracks: (picture) => new TracksCard(this, picture.meaning, { letter: picture.letter, equation: picture.equation, picture }),
    };
    for (const picture of model.about.pictures) this.cards.set(picture.name, draw[picture.draw](picture));
    const of = (wanted) => [...this.cards.values()].filter(wanted).map((card) => card.el);
    const major = (card) => !card.picture.minor, matrix = (card) => card.picture.draw === "matrix";
    // in front: what relates objects to objects; the map and the tracks come up where a method has little of that
    const objects = (card) => card.picture.axes[0] === "object";
    const oblong = (wanted) => of((card) => major(card) && matrix(card) && !card.square && wanted === objects(card));
    const front = [...of((card) => major(card) && card.square), this.map.el, ...oblong(true), this.tracks.el, ...oblong(false)];
    this.stage.replaceChildren(...front.slice(0, 3));
    this.pictures.replaceChildren(...front.slice(3).filter((el) => el !== this.map.el && el !== this.tracks.el));
    this.rest = [this.map.el, this.tracks.el].filter((el) => el.parentElement !== this.stage);
    this.rest.push(this.clusters.el, this.uncertain.el, ...of((card) => major(card) && !matrix(card)));
    this.columns = 0;
    this.arrange();
    const minor = of((card) => card.picture.minor);
    this.minorPictures.replaceChildren(...minor);
    this.countMinor();
    this.watch();
  }

  // Only what is on the screen, or nearly, is asked for and drawn.
  watch() {
    const parts = [...this.cards.values(), ...this.curves, this.map, this.tracks, this.clusters, this.uncertain];
    const owner = new Map(parts.map((part) => [part.el, part]));
    this.watcher?.disconnect();
    this.onScreen ||= new Set();
    for (const part of this.onScreen) if (!owner.has(part.el)) this.onScreen.delete(part);
    this.visible = new Set();
    this.watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const part = owner.get(entry.target);
        this.onScreen[entry.isIntersecting ? "add" : "delete"](part);
      }
      const before = this.watched && [...this.visible].join();
      this.visible = new Set([...this.cards].filter(([, card]) => this.onScreen.has(card)).map(([name]) => name));
      this.watched = true;
      if (before !== [...this.visible].join()) this.ask();
      if (this.model.shown >= 0) this.show(this.wanted ?? this.model.shown);
    }, { rootMargin: "200px" });
    this.watched = false;
    for (const part of parts) this.watcher.observe(part.el);
  }

  // Pictures of different heights in columns, each put where there is most room: decided once, nothing moves later.
  arrange() {
    const columns = Math.max(1, Math.min(3, Math.floor((this.root.clientWidth + 20) / 256)));
    if (!this.rest || columns === this.columns) return;
    this.columns = columns;
    const stacks = Array.from({ length: columns }, () => ({ el: make("div", "stack"), tall: 0 }));
    const tall = (el) => (el.classList.contains("bars") ? 0.62 : el === this.clusters.el ? 0.35 + 0.1 * (this.model.about.k || 2) : el === this.uncertain.el ? 1.2 : 1.05);
    for (const el of this.rest) {
      const stack = stacks.reduce((best, one) => (one.tall < best.tall - 1e-9 ? one : best));
      stack.el.append(el);
      stack.tall += tall(el);
    }
    this.lower.replaceChildren(...stacks.map((stack) => stack.el));
    this.sizes = (this.sizes || 0) + 1;
  }

  countMinor() {
    const count = this.minorPictures.children.length + this.minorCurves.children.length;
    this.more.hidden = !count;
    say(this.more.firstChild, `${count} more`);
  }

  names() {
    const all = this.model.about.pictures.map((picture) => picture.name);
    return this.watched ? all.filter((name) => this.visible.has(name)) : this.header?.visible || all;
  }

  mapPlaces() {
    const { data } = this.model;
    return data ? { xy: data.map, of: "object", apart: data.mapping.startsWith("Objects") } : null;
  }

  // --- asking -------------------------------------------------------------------------------------------------

  ask(commands = []) {
    clearTimeout(this.timer);
    this.todo = [...(this.todo || []), ...commands];
    if (!this.component || this.asking) return;
    // one question at a time: answers that overtake each other would cost the view its place in the page
    if (this.waiting && performance.now() - this.askedAt < 2500) {
      this.again = true;
      this.timer = setTimeout(() => this.ask(), 2600); // an answer that is lost is asked for again
      return;
    }
    this.asking = true;
    queueMicrotask(() => { this.asking = false; this.askNow(); });
  }

  askNow() {
    const { model } = this;
    if (!this.root.isConnected) return; // another page is shown: there is nobody to answer
    if (!model.about) {
      // put into the page anew, while the server takes us for an old acquaintance
      this.askedAt = performance.now();
      this.waiting = true;
      this.component.setStateValue("ask", { seq: ++this.seen, anew: Math.random() });
      return;
    }
    const have = {};
    for (const name of this.names()) have[name] = spans([...(model.film.get(name)?.keys() || [])].sort((a, b) => a - b));
    this.askedAt = performance.now();
    this.waiting = true;
    const asked = {
      seq: ++this.seen, run: model.run, data: model.data?.id, order: model.order, rows: model.rows.length, have, names: this.names(),
      shown: Math.max(this.wanted ?? model.shown, 0), mode: this.mode, newest: this.jump || (this.mode === "play" && this.speed === 0),
      full: model.bytes > 60e6, do: this.todo || [],
    };
    if (model.pin) asked.pin = { id: this.pinId, i: asked.shown, where: this.everywhere(model.pin), why: this.asked || "" };
    if (this.probe) asked.probe = { id: this.probe.id, i: asked.shown, where: this.everywhere(this.probe.pin) };
    const detail = this.detail();
    if (detail) asked.detail = detail;
    if (this.mode === "hold" && !this.jump && this.goal === undefined) asked.settled = model.shown;
    this.timer = setTimeout(() => this.ask(), 3000);
    // what changes nothing is asked past the page, which would else be gone through as a whole for every frame
    if (this.door && !asked.do.length && asked.settled === this.told) return this.askAside(asked);
    this.todo = [];
    this.told = asked.settled;
    this.component.setStateValue("ask", asked);
  }

  async askAside(asked) {
    let message;
    try {
      const home = window.__streamlit?.BACKEND_BASE_URL ?? new URL("./", location.href).href;
      const headers = { "Content-Type": "application/json", "X-Quorum-Door": this.door };
      const answer = await fetch(new URL("live", home), { method: "POST", headers, body: JSON.stringify(asked) });
      if (answer.status === 200) message = parse(new Uint8Array(await answer.arrayBuffer()));
    } catch { /* the server is gone, or there is no such way: then as everything else */ }
    if (asked.seq !== this.seen) return; // something else was asked meanwhile
    if (!message) {
      this.door = null; // until the page has said something again
      this.waiting = false;
      this.ask();
    } else if (message.header.run === this.model.run) this.queue = this.queue.then(() => this.absorb(message)).catch((error) => console.error(error));
    else this.waiting = false;
  }

  everywhere(pin) {
    const where = {};
    for (const picture of this.model.about.pictures) {
      const at = this.model.whereOf(picture, pin);
      if (at) where[picture.name] = at;
    }
    return where;
  }

  askLater() {
    clearTimeout(this.timer);
    const { header, model } = this;
    const missing = this.names().some((name) => !model.holds(name, Math.max(this.wanted ?? model.shown, 0))) && model.last >= 0;
    const stale = model.pin && (this.answers.pin?.id !== this.pinId || (this.mode === "hold" && this.answers.pin?.i !== model.shown));
    if (header.live || this.told === null || header.more || missing || stale || this.detail() || model.rows.length < header.count || (this.todo || []).length) {
      const wait = Math.max(0, (header.pace || 30) - (performance.now() - (this.askedAt || 0)));
      this.timer = setTimeout(() => this.ask(), document.hidden ? 2000 : wait);
    }
  }

  // --- playing ------------------------------------------------------------------------------------------------

  get finished() { return ["finished", "failed", "cancelled"].includes(this.header?.state) && this.model.rows.length >= this.header.count; }

  tick() {
    if (this.ticking) return;
    this.ticking = true;
    requestAnimationFrame((now) => {
      this.ticking = false;
      if (!this.root.isConnected) return;
      this.advance(now);
      if (this.dirty) this.paint();
      if (this.mode === "play") this.tick();
    });
  }

  advance(now) {
    const { model } = this;
    const newest = this.jump || this.speed === 0;
    if (this.mode !== "play" || model.last < 0 || now < this.due || (this.loading && !newest)) return;
    const next = newest ? this.newestHeld() : Math.min(model.shown + 1, model.last);
    if (next !== model.shown) {
      this.show(next);
      if (!newest) this.due = Math.max(now - 20, this.due + 1000 / this.speed);
    } else if (this.finished && model.shown >= model.last) {
      this.mode = "hold";
      this.jump = false;
      this.settle();
    }
  }

  // The latest iteration whose pictures are here; the one shown where there is none later.
  newestHeld() {
    const { model } = this, names = this.names();
    for (let at = model.last; at > model.shown; at--) if (names.every((name) => model.holds(name, at))) return at;
    return model.shown;
  }

  // Shows an iteration once all its visible pictures are there and unpacked: never half a frame, never a blank one.
  async show(iteration) {
    const { model } = this;
    const target = Math.min(Math.max(iteration, 0), Math.max(model.last, 0));
    this.wanted = iteration > model.last && this.goal === iteration ? iteration : target;
    if (model.last < 0) return this.repaint(); // nothing to show yet, but something to say
    const names = this.names();
    if (names.some((name) => !model.holds(name, target))) {
      this.loading = true;
      if (!this.waiting) this.ask();
      return;
    }
    this.loading = true;
    const turn = (this.turn = (this.turn || 0) + 1);
    await Promise.all(names.map((name) => model.decode(name, target)));
    if (turn !== this.turn) return;
    this.loading = false;
    model.shown = target;
    if (target === this.goal) { this.goal = undefined; this.askLater(); }
    this.repaint();
    for (let ahead = 1; ahead <= 2; ahead++) if (this.mode === "play") for (const name of names) if (model.holds(name, target + ahead)) model.decode(name, target + ahead);
  }

  toggle() { if (this.mode === "play") this.pause(); else this.play(); }

  play() {
    const { model } = this;
    this.jump = false;
    this.goal = undefined;
    this.mode = "play";
    this.due = 0;
    if (this.finished && model.shown >= model.last) this.show(0);
    else this.due = performance.now() + (this.speed ? 1000 / this.speed : 0);
    this.ask(["play"]);
    this.repaint();
    this.tick();
  }

  pause() {
    this.mode = "hold";
    this.jump = false;
    this.wanted = this.model.shown;
    this.ask(["pause"]);
    this.repaint();
  }

  step() {
    const { model } = this;
    const was = this.mode;
    this.mode = "hold";
    this.jump = false;
    if (model.shown < model.last) {
      this.show(model.shown + 1);
      if (was === "play") this.ask(["pause"]);
      this.settleSoon();
    } else if (!this.finished) {
      this.goal = model.shown + 1;
      this.wanted = this.goal;
      this.ask(["step"]);
    }
    this.repaint();
  }

  back() { this.scrub(this.model.shown - 1); }

  restart() {
    this.show(0);
    this.mode = "hold";
    this.play();
  }

  scrub(iteration) {
    const was = this.mode;
    this.mode = "hold";
    this.jump = false;
    this.goal = undefined;
    this.show(iteration);
    this.settleSoon();
    if (was === "play") this.ask(["pause"]);
    this.repaint();
  }

  settleSoon() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), 250);
  }

  settle() { this.ask(); this.repaint(); }

  setSpeed(speed) { this.speed = speed; this.due = 0; this.ask(); this.tick(); }

  keys(event) {
    const tag = event.composedPath()[0]?.tagName;
    if (tag === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (tag === "INPUT" && event.key.startsWith("Arrow")) return;
    const act = { " ": () => this.toggle(), ArrowRight: () => this.step(), ArrowLeft: () => this.back(), Home: () => this.restart(), End: () => this.scrub(this.model.last) }[event.key];
    if (!act || (event.key === " " && ["BUTTON", "SUMMARY"].includes(tag))) return;
    event.preventDefault();
    act();
  }

  // Where nothing on the page wants the keys for itself, they play: right after the page is opened, or after a slider.
  keysFromThePage(event) {
    const target = event.composedPath()[0];
    if (event.defaultPrevented || !this.root.isConnected || event.composedPath().includes(this.root)) return;
    const slider = target?.closest?.("[role=slider], input[type=range]");
    const other = target?.closest?.("input, textarea, select, button, summary, a, [contenteditable], [role=combobox], [role=listbox], [role=dialog], [role=menu]");
    if (slider ? event.key === " " : !other) this.keys(event);
  }

  // --- pointing, pinning, choosing, zooming -----------------------------------------------------------------------

  point(pin, event = null, card = null) {
    this.pointer = pin;
    clearTimeout(this.dwell);
    if (pin) this.dwell = setTimeout(() => {
      if (this.mode === "play" || !this.pointer) return;
      this.probe = { id: this.idOf(pin), pin };
      this.ask();
    }, 160);
    this.showTip(pin, event, card);
    this.repaint();
  }

  idOf(pin) { return JSON.stringify(pin); }
  get pinId() { return this.model.pin ? this.idOf(this.model.pin) : ""; }

  pinTo(pin, why = null) {
    const { model } = this, same = pin && this.idOf(pin) === this.pinId && (!why || why === this.asked);
    model.pin = same ? null : pin;
    const picture = why && this.model.quantity(why);
    this.asked = model.pin && picture?.explained ? why : model.pin && this.asked && model.whereOf(model.quantity(this.asked) || { axes: ["none"] }) ? this.asked : null;
    this.ask();
    this.repaint();
  }

  select(objects) { this.model.selected = new Set(objects); this.repaint(); }

  zoomTo(zoom) {
    const { n } = this.model.data;
    if (zoom) {
      const size = Math.min(Math.max(zoom.r1 - zoom.r0, 4), n), wide = Math.min(Math.max(zoom.c1 - zoom.c0, 4), n);
      const hold = (from, length) => Math.min(Math.max(from, 0), n - length), r0 = hold(zoom.r0, size), c0 = hold(zoom.c0, wide);
      zoom = size >= n && wide >= n ? null : { r0, r1: r0 + size, c0, c1: c0 + wide };
    }
    this.model.zoom = zoom;
    this.repaint();
    clearTimeout(this.zooming);
    this.zooming = setTimeout(() => { if (this.detail()) this.ask(); }, 120);
  }

  zoomBy(factor, y = 0.5, x = 0.5) {
    const { r0, r1, c0, c1 } = this.model.window(), rows = (r1 - r0) * factor, cols = (c1 - c0) * factor;
    const r = r0 + (r1 - r0) * y - rows * y, c = c0 + (c1 - c0) * x - cols * x;
    this.zoomTo({ r0: r, r1: r + rows, c0: c, c1: c + cols });
  }

  showTip(pin, event, card) {
    this.tip.hidden = !pin || !event;
    if (this.tip.hidden) return;
    say(this.tip, this.why.named(pin));
    const box = this.root.getBoundingClientRect(), wide = this.root.clientWidth;
    const x = event.clientX - box.left, y = event.clientY - box.top;
    this.tip.style.left = `${Math.min(x + 14, wide - 180)}px`;
    this.tip.style.top = `${y + 16}px`;
  }

  // --- drawing ------------------------------------------------------------------------------------------------

  repaint() { this.dirty = true; this.tick(); }

  readLook() {
    if (this._looked && performance.now() - this._looked < 400) return;
    this._looked = performance.now();
    const style = getComputedStyle(this.root), read = (name) => style.getPropertyValue(name).trim();
    this.look = {
      text: read("--ink"), quiet: read("--quiet-ink"), soft: read("--soft"), line: read("--line"), accent: read("--accent"),
      ghost: read("--ghost"), font: style.fontFamily,
    };
    const solid = (name) => {
      this.swatch ||= this.root.appendChild(make("i", "swatch"));
      this.swatch.style.color = `var(${name})`;
      return getComputedStyle(this.swatch).color;
    };
    const [red, green, blue] = style.color.match(/[\d.]+/g).map(Number);
    this.look.dark = red * 0.3 + green * 0.59 + blue * 0.11 > 128; // light ink stands on dark paper
    for (const [key, name] of [["text", "--ink"], ["quiet", "--quiet-ink"], ["soft", "--soft"], ["line", "--line"], ["accent", "--accent"], ["ghost", "--ghost"]]) this.look[key] = solid(name);
  }

  paint() {
    this.dirty = false;
    const { model } = this;
    if (!model.data || !model.about) return;
    this.readLook();
    this.root.classList.toggle("ready", model.shown >= 0);
    this.transport.paint();
    if (model.shown < 0) return;
    const curves = JSON.stringify([model.about.curves, Object.keys(model.rows[0]?.scores || {})]);
    if (this._curves !== model.run && model.rows.length) {
      if (this._curveKey !== curves) {
        this._curveKey = curves;
        this.curves = curveCards(this);
        this.curveRow.replaceChildren(...this.curves.filter((card) => !card.scalar).map((card) => card.el));
        this.scalarRow.replaceChildren(...this.curves.filter((card) => card.scalar && !card.minor).map((card) => card.el));
        this.minorCurves.replaceChildren(...this.curves.filter((card) => card.minor).map((card) => card.el));
        this.countMinor();
        this.watch();
      }
      this._curves = model.run;
    }
    const exact = this.exact();
    for (const part of [...this.cards.values(), ...this.curves, this.map, this.tracks, this.clusters, this.uncertain]) {
      if (this.watched && !this.onScreen.has(part)) continue;
      part.paint();
      part.showReadout?.(exact);
    }
    this.why.paint();
    const zoom = model.zoom, n = model.data.n;
    say(this.zoomNote, zoom ? `${Math.round(zoom.r1 - zoom.r0).toLocaleString("en-US")} of ${n.toLocaleString("en-US")} objects in view` : `${n.toLocaleString("en-US")} objects`);
    window.__painted?.({ i: model.shown, t: model.row?.t, run: model.run });
  }

  // Full-precision values of what is pointed at (or pinned), where the server has told them for this iteration.
  exact() {
    const { model } = this, id = this.pointer ? this.idOf(this.pointer) : this.pinId;
    for (const answer of [this.answers.probe, this.answers.pin]) if (answer && answer.id === id && answer.i === model.shown) return answer.values;
    return null;
  }
}

export default function (component) {
  const root = component.parentElement.querySelector(".quorum");
  if (!root || !component.data) return;
  if (!root.view) {
    const known = window.quorumView;
    if (known && !known.root.isConnected) known.inhabit(root);
    root.view = window.quorumView = known && known.root === root ? known : new View(root);
  }
  root.view.receive(component);
}
