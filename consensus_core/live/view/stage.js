// The layout: which parts of the view stand where, and which are on the screen. Three layouts: "wide"; "narrow" (a
// telephone: tabs, and the why as a sheet from below); "big" (one matrix, one curve, transport and why: a projector).

import { AlgorithmPanel } from "./cards/algorithm.js";
import { curveCards } from "./cards/curves.js";
import { Dials, dialsButton } from "./cards/dials.js";
import { ClustersPanel, UncertainPanel } from "./cards/panels.js";
import { PointsCard } from "./cards/points.js";
import { TracksCard } from "./cards/tracks.js";
import { Transport } from "./cards/transport.js";
import { WhyPanel } from "./cards/why.js";
import { button, fill, make, say } from "./dom.js";
import { counted, grouped } from "./numbers.js";
import { cardFor } from "./registry.js";

const NARROW = 520; // pixels up to which a screen is a telephone's
const FEW = 30; // objects up to which nobody zooms
const COMPACT = 600; // pixels of height below which a big screen saves room
const COLUMN = 256; // pixels of a column of the lower part, at least
const IN_FRONT = 3; // pictures in the first row
const EACH = 2; // square pictures that each of many runs has in front
const BIG = "Big screen: one matrix, one curve, why";
const TABS = { pictures: "Pictures", curves: "Curves", map: "Map & clusters", why: "Why" };

export class Stage {
  constructor(view) {
    this.view = view;
    this.cards = new Map(); // part id + quantity -> card
    this.curves = [];
    this.layout = "wide";
    this.big = false;
    this.tab = "pictures";
    this.chosen = { picture: "", curve: 0 }; // what the big screen shows
    this.onScreen = new Set();
    this.columns = 0;
    this.sheetIs = "down";
    this.build();
  }

  get model() { return this.view.model; }
  get most() { return this.layout === "big" ? this.side : 640; } // pixels a picture may be wide
  get side() { return this.room + Math.round(this.view.look.small * 2.7); }

  build() {
    const { view } = this;
    view.dials = new Dials(view);
    this.transport = new Transport(view);
    this.tabs = this.buildTabs();
    this.tools = this.buildTools();
    this.front = make("div", "pictures stage");
    this.pictures = make("div", "pictures");
    this.curveRow = make("div", "curves main");
    this.scalarRow = make("div", "curves");
    this.more = make("details", "more");
    this.minorPictures = make("div", "pictures");
    this.minorCurves = make("div", "curves");
    this.more.append(make("summary"), this.minorPictures, this.minorCurves);
    this.more.ontoggle = () => { view.ask(); view.repaint(); };
    this.lower = make("div", "lower");
    this.bigScreen = this.buildBig();
    this.map = new PointsCard(view, null);
    this.tracks = new TracksCard(view, null);
    this.why = new WhyPanel(view);
    this.clusters = new ClustersPanel(view);
    this.uncertain = new UncertainPanel(view);
    this.algorithm = new AlgorithmPanel(view);
    this.el = make("div", "layout");
    this.el.append(
      this.transport.el, this.tabs, this.tools, this.bigScreen, this.front, this.why.el, this.curveRow, this.pictures,
      this.lower, this.scalarRow, this.more,
    );
  }

  buildTabs() {
    const tabs = make("div", "tabs");
    tabs.setAttribute("role", "tablist");
    tabs.setAttribute("aria-label", "Parts of the view");
    for (const [name, title] of Object.entries(TABS)) {
      const tab = button("tab", title, "", () => this.show(name));
      tab.setAttribute("role", "tab");
      tab.dataset.tab = name;
      tabs.append(tab);
    }
    tabs.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], all = [...tabs.children];
      if (!step) return;
      const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
      next.focus();
      this.show(next.dataset.tab);
      event.preventDefault();
      event.stopPropagation();
    };
    return tabs;
  }

  buildTools() {
    const { view } = this, tools = make("div", "tools");
    this.zoomNote = make("span", "note");
    const contrast = "More contrast: small values get most of the colours";
    this.contrast = button("tool", "contrast", contrast, () => view.stretch());
    this.contrast.setAttribute("aria-pressed", "false");
    this.dials = dialsButton(view);
    this.enlarge = button("tool enlarge", "big", BIG, () => view.setBig(!this.big));
    const { pointer } = view;
    tools.append(
      this.zoomNote, this.dials, this.contrast,
      button("tool near", "+", "Zoom in", () => pointer.zoomBy(1 / 1.5)),
      button("tool near", "−", "Zoom out", () => pointer.zoomBy(1.5)),
      button("tool near", "all", "Show everything", () => pointer.zoomTo(null)), this.enlarge,
    );
    return tools;
  }

  buildBig() {
    const screen = make("div", "bigscreen"), pick = (label, change) => {
      const select = make("select");
      select.setAttribute("aria-label", label);
      select.onchange = () => { change(select.value); this.place(); };
      return select;
    };
    this.pickPicture = pick("Which matrix", (value) => { this.chosen.picture = value; });
    this.pickCurve = pick("Which curve", (value) => { this.chosen.curve = Number(value); });
    this.bigLeft = make("div", "left");
    this.bigRight = make("div", "right");
    this.bigBar = make("div", "choices");
    this.bigPicture = make("div", "one");
    this.bigCurve = make("div", "one");
    screen.append(this.bigLeft, this.bigRight);
    return screen;
  }

  // --- cards ----------------------------------------------------------------------------------------------------

  key(part, { name, card, further }) { return `${part.id}:${name}${further ? `~${card}` : ""}`; }
  card(part, picture) { return this.cards.get(this.key(part, picture)); }

  // New runs: cards are made anew, and everything is put in its place, only where what is shown differs. Moving what
  // stands already would make the browser lay out the page while a hand is on a dial.
  newRuns() {
    const { model, view } = this, parts = [...model.parts.values()];
    const drawings = parts.flatMap((part) => drawingsOf(part));
    const shape = JSON.stringify([model.runs.map((run) => run.about.once), drawings.map(
      ([part, { name, card, axes, letter, meaning }]) => [Boolean(part.pair), name, card, axes, letter, meaning])]);
    const same = shape === this.shape;
    if (same) {
      const cards = [...this.cards.values()];
      this.cards = new Map(drawings.map(([part, picture], k) => {
        Object.assign(cards[k], { part, picture });
        return [this.key(part, picture), cards[k]];
      }));
    } else {
      this.shape = shape;
      this.cards = new Map(drawings.map(([part, picture]) => (
        [this.key(part, picture), cardFor(view, part, picture)])).filter(([, card]) => card));
      this.columns = 0;
      this.curveShape = "";
    }
    const several = parts.length > 1;
    for (const card of this.cards.values()) card.name(several ? view.nameOf(card.part) : "");
    if (!same || this.layout === "big") this.place(); // the big screen's choices go by the run
  }

  // Curves are made when the first numbers are here.
  newCurves() {
    const { model, view } = this, rows = model.run?.rows;
    if (!rows?.length) return;
    const said = ({ id, about }) => [
      model.runs.length > 1 && id, about.curves, about.found, about.once, about.monotone, about.stretches,
    ];
    const shape = JSON.stringify([
      model.runs.map(said), Object.keys(rows[0].scores), Object.keys(rows.at(-1).terms), Boolean(model.data.truth),
    ]);
    if (shape === this.curveShape) return;
    this.curveShape = shape;
    this.curves = curveCards(view);
    this.place();
  }

  // Everything where it belongs in this layout.
  place() {
    const { root } = this.view;
    if (!this.model.run?.about) return;
    const { some, hide, large } = this.view.scene, { runs, data } = this.model, few = data.n <= FEW;
    const once = runs.every((run) => run.about?.once);
    Object.assign(root.dataset, {
      layout: this.layout, tab: this.tab, scene: some, hide: hide.join(" "), large, few, once,
    });
    if (this.layout === "big") this.placeBig();
    else if (this.view.scene.some) this.placeSome();
    else this.placeAll();
    this.view.resized();
    this.watch();
  }

  placeAll() {
    const cards = this.inTurn(), narrow = this.layout === "narrow";
    // a telephone has further drawings on demand
    const late = (card) => (this.model.runs.length > 2 && this.ranks.get(card) >= EACH) ||
      (narrow && card.picture.further);
    const major = (card) => !card.picture.minor && !late(card), matrix = (card) => Boolean(card.grid);
    const objects = (card) => card.picture.axes[0] === "object";
    const of = (wanted) => cards.filter(wanted).map((card) => card.el);
    // in front: what relates objects to objects; the map and the tracks come up where a method has little of that
    const oblong = (wanted) => of((card) => major(card) && matrix(card) && !card.square && wanted === objects(card));
    const square = of((card) => major(card) && card.square), [map, tracks] = [this.map.el, this.tracks.el];
    const front = narrow ? [...square, ...oblong(true), ...oblong(false)]
      : [...square, map, ...oblong(true), tracks, ...oblong(false)];
    const first = this.model.pairs.length ? square.length : IN_FRONT;
    this.front.replaceChildren(...front.slice(0, first));
    this.pictures.replaceChildren(...front.slice(first).filter((el) => el !== map && el !== tracks));
    this.rest = [this.map, this.tracks].filter((card) => card.el.parentElement !== this.front);
    this.rest.push(this.clusters, this.uncertain);
    const other = cards.filter((card) => major(card) && !matrix(card));
    if (narrow) this.pictures.append(...other.map((card) => card.el));
    else this.rest.push(...other);
    this.el.insertBefore(this.tools, this.bigScreen);
    this.el.insertBefore(this.why.el, this.curveRow);
    this.minorPictures.replaceChildren(...of((card) => card.picture.minor || late(card)));
    this.curveRow.replaceChildren(...this.curves.filter((card) => !card.own).map((card) => card.el));
    this.scalarRow.replaceChildren(...this.curves.filter((card) => card.own && !card.minor).map((card) => card.el));
    this.minorCurves.replaceChildren(...this.curves.filter((card) => card.minor).map((card) => card.el));
    const minor = this.minorPictures.children.length + this.minorCurves.children.length;
    this.more.hidden = !minor;
    say(this.more.firstChild, `${minor} more`);
    this.stack(true);
  }

  // Of several runs the first picture of each, where they differ, then the second of each, and so on.
  inTurn() {
    const count = new Map();
    this.ranks = new Map();
    for (const card of this.cards.values()) {
      const rank = count.get(card.part) ?? 0;
      if (card.square) count.set(card.part, rank + 1);
      this.ranks.set(card, card.square ? rank : 0);
    }
    const place = (card) => 2 * this.ranks.get(card) + (card.part.pair ? 1 : 0);
    const cards = [...this.cards.values()];
    return this.model.runs.length > 1 ? cards.sort((one, other) => place(one) - place(other)) : cards;
  }

  // Other things are to be seen.
  staged() {
    this.tab = "pictures";
    this.place();
  }

  // What the page wants seen, in its order.
  placeSome() {
    const wanted = this.view.scene.show.flatMap((name) => this.called(name)).map((part) => part.el);
    this.front.replaceChildren(...new Set(wanted));
    // beside all the pictures, each of which has three rows of the grid
    const high = 3 * Math.max(this.front.children.length - 1, 1);
    this.algorithm.el.style.gridRow = this.layout === "narrow" ? "" : `1 / span ${high}`;
    const { pictures, minorPictures, minorCurves, curveRow, scalarRow, lower } = this;
    const empty = [pictures, minorPictures, minorCurves, curveRow, scalarRow, lower];
    for (const place of empty) place.replaceChildren();
    this.el.insertBefore(this.tools, this.bigScreen);
    this.el.insertBefore(this.why.el, this.curveRow);
    this.more.hidden = true;
    this.rest = null;
  }

  // A panel, the pictures of a quantity (of every run), or its curve.
  called(name) {
    const { model, view } = this, cards = [...this.cards.values()], { show } = view.scene;
    const panel = { map: this.map, tracks: this.tracks, clusters: this.clusters, uncertain: this.uncertain,
      algorithm: this.algorithm }[name];
    if (panel) return [panel];
    const shared = this.curves.filter((card) => !card.own), curve = { objective: 0, found: 1, score: 2 }[name];
    if (curve !== undefined) return shared.slice(curve, curve + 1);
    if (name === "difference") return cards.filter((card) => card.part.pair && show.includes(card.picture.name));
    const [quantity, drawing] = name.split("~");
    const drawn = cards.filter(({ part, picture }) => !part.pair && picture.name === quantity &&
      (picture.further ? picture.card : undefined) === drawing);
    return drawn.length || !model.run ? drawn : this.curves.filter((card) => card.scalar === name);
  }

  // Pictures of different heights in columns, each put where there is most room: decided once, nothing moves later.
  stack(anew = false) {
    const wide = Math.floor((this.view.root.clientWidth + 20) / COLUMN), columns = Math.max(1, Math.min(3, wide));
    if (!this.rest || (columns === this.columns && !anew)) return;
    this.columns = columns;
    const stacks = Array.from({ length: columns }, () => ({ el: make("div", "stack"), tall: 0 }));
    for (const part of this.rest) {
      const stack = stacks.reduce((best, one) => (one.tall < best.tall - 1e-9 ? one : best));
      stack.el.append(part.el);
      stack.tall += part.share;
    }
    this.lower.replaceChildren(...stacks.map((stack) => stack.el));
  }

  // --- the big screen -------------------------------------------------------------------------------------------

  placeBig() {
    const cards = [...this.cards.entries()].filter(([, card]) => card.grid);
    const several = this.model.runs.length > 1;
    fill(this.pickPicture, cards, () => make("option"), (option, [key, { picture, part }]) => {
      say(option, `${several ? `${this.view.nameOf(part)}: ` : ""}${picture.letter}: ${picture.meaning}`);
      option.value = key;
    });
    const name = (key) => key.slice(key.indexOf(":") + 1);
    const [key, card] = cards.find(([one]) => one === this.chosen.picture)
      || cards.find(([one]) => name(one) === name(this.chosen.picture)) || cards[0] || ["", this.map];
    this.chosen.picture = key;
    this.pickPicture.value = key;
    this.pickPicture.hidden = cards.length < 2;
    fill(this.pickCurve, this.curves, () => make("option"), (option, curve, k) => {
      say(option, curve.title);
      option.value = String(k);
    });
    const curve = this.curves[this.chosen.curve] || this.curves[0];
    this.pickCurve.value = String(Math.max(this.curves.indexOf(curve), 0));
    this.bigPicture.replaceChildren(card.el);
    this.bigScreen.classList.toggle("square", Boolean(card.square));
    this.bigCurve.replaceChildren(...(curve ? [curve.el] : []));
    this.bigLeft.replaceChildren(this.pickPicture, this.bigPicture);
    this.bigBar.replaceChildren(this.pickCurve, this.tools);
    this.bigRight.replaceChildren(this.bigBar, this.bigCurve, this.why.el);
    this.bigScreen.style.setProperty("--side", `${this.side}px`);
  }

  // Pixels a picture may be high on the big screen: what the window leaves below the transport.
  get room() {
    const top = this.bigLeft.getBoundingClientRect().top - this.view.root.getBoundingClientRect().top;
    const picked = this.pickPicture.hidden ? 0 : this.pickPicture.offsetHeight, scale = 2.6 * this.view.look.small;
    return Math.max(200, this.view.root.clientHeight - top - picked - scale - 24);
  }

  setBig(big) {
    const { root } = this.view;
    this.big = big;
    if (big) {
      root.setAttribute("popover", "manual"); // above everything else on the page
      root.showPopover?.();
    } else if (root.hasAttribute("popover")) {
      if (root.matches(":popover-open")) root.hidePopover();
      root.removeAttribute("popover");
    }
    this.sheet("down");
    this.relayout(true);
    this.enlarge.setAttribute("aria-pressed", String(big));
    say(this.enlarge, big ? "leave" : "big");
    this.enlarge.setAttribute("aria-label", big ? "Leave the big screen" : BIG);
    this.why.el.tabIndex = big ? 0 : -1; // what scrolls can be reached by the keyboard
  }

  // --- the telephone --------------------------------------------------------------------------------------------

  show(tab) {
    if (tab === "why") {
      this.sheet("up");
      return;
    }
    this.tab = tab;
    this.sheet("down");
    this.place();
    this.paintTabs();
  }

  paintTabs() {
    const open = this.sheetIs !== "down";
    for (const tab of this.tabs.children) {
      const on = open ? tab.dataset.tab === "why" : tab.dataset.tab === this.tab;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }

  // The why as a sheet from below: "up" (half of the screen, then all of it), "down" (closed).
  sheet(where, most = "") {
    const { el } = this.why, narrow = this.layout === "narrow";
    if (where === "up") this.sheetIs = most === "half" && this.sheetIs !== "full" ? "half" : "full";
    else if (where === "toggle") this.sheetIs = this.sheetIs === "full" ? "half" : "full";
    else this.sheetIs = "down";
    const open = narrow && this.sheetIs !== "down";
    el.dataset.sheet = open ? this.sheetIs : "";
    if (open) {
      if (!el.hasAttribute("popover")) el.setAttribute("popover", "manual");
      if (el.isConnected && !el.matches(":popover-open")) el.showPopover?.();
    } else if (el.hasAttribute("popover")) {
      if (el.matches(":popover-open")) el.hidePopover();
      el.removeAttribute("popover");
    }
    this.paintTabs();
  }

  // --- sizes and what is on the screen --------------------------------------------------------------------------

  // The layout that fits; true when it is another one.
  relayout(anew = false) {
    const { clientWidth: width, clientHeight: height } = this.view.root, compact = String(this.big && height < COMPACT);
    if (this.view.root.dataset.compact !== compact) this.view.root.dataset.compact = compact;
    const layout = this.big ? "big" : width && width <= NARROW ? "narrow" : "wide";
    if (layout !== this.layout || anew) {
      this.layout = layout;
      this.view.root.dataset.layout = layout;
      this.columns = 0;
      this.sheet("down");
      this.place();
    } else if (layout === "big") this.placeBig();
    else this.stack();
  }

  // Only what is on the screen, or nearly, is asked for and drawn.
  watch() {
    const parts = this.parts(), owner = new Map(parts.map((part) => [part.el, part]));
    this.watcher?.disconnect();
    for (const part of this.onScreen) if (!owner.has(part.el)) this.onScreen.delete(part);
    this.watched = false;
    this.watcher = new IntersectionObserver((entries) => {
      const before = this.watched && [...this.visible()].join();
      for (const entry of entries) {
        this.onScreen[entry.isIntersecting ? "add" : "delete"](owner.get(entry.target));
      }
      this.watched = true;
      if (before !== [...this.visible()].join()) this.view.lookedAt();
      else this.view.repaint();
    }, { rootMargin: "200px" });
    for (const part of parts) this.watcher.observe(part.el);
  }

  parts() {
    const { map, tracks, clusters, uncertain, algorithm } = this;
    return [...this.cards.values(), ...this.curves, map, tracks, clusters, uncertain, algorithm];
  }

  seen(part) { return this.watched ? this.onScreen.has(part) : part.el.clientWidth > 0; }
  visible() { return [...this.cards].filter(([, card]) => this.onScreen.has(card)).map(([key]) => key); }

  // Part -> names of its pictures in view; what the server said was in view, until it is known here.
  names() {
    const names = new Map(), { model } = this;
    for (const part of model.parts.values()) {
      const all = part.about.pictures.map((picture) => picture.name);
      const said = this.view.header?.visible?.[part.id] || all;
      const seen = [...this.cards.values()].filter((card) => card.part === part && this.onScreen.has(card));
      const needed = new Set(seen.flatMap(({ picture }) => picture.needs || [picture.name]));
      names.set(part.id, this.watched ? [...needed].filter((name) => part.draws(name))
        : all.filter((name) => said.includes(name)));
    }
    return names;
  }

  paint(exact) {
    for (const part of this.parts()) {
      if (!this.seen(part)) continue;
      part.paint();
      part.showReadout?.(exact);
    }
    const asked = this.view.pointer.trail.at(-1);
    for (const card of [...this.cards.values(), ...this.curves]) {
      const name = card.picture?.name ?? card.scalar;
      card.el.classList.toggle("asked", Boolean(asked && name && asked.name === name && asked.run === card.run?.id));
    }
    this.why.paint();
    const { zoom, data } = this.model, all = counted(data.n, "object");
    say(this.zoomNote, zoom ? `${grouped(Math.round(zoom.r1 - zoom.r0))} of ${all} in view` : all);
  }

  release() {
    this.watcher?.disconnect();
    this.watcher = null;
  }
}

// [part, picture] of everything a part draws: each quantity, and its further drawings.
function drawingsOf(part) {
  return part.about.pictures.flatMap((picture) => [
    [part, picture], ...(part.pair ? [] : picture.also || []).map((also) => (
      [part, { ...picture, ...also, further: true, explained: false }])),
  ]);
}
