// Numbers over the iterations: this run in colour, earlier runs in grey, a marker at the shown iteration. A method that
// takes a single step has no course: its number is said.

import { at, placeUnder, rangeOf, stretchesOf } from "../courses.js";
import { fill, make, say, withIndices } from "../dom.js";
import { number } from "../numbers.js";
import { logTicks, niceTicks } from "../ticks.js";
import { Card } from "./card.js";

const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 2], [10, 4]];
const GREYS = [[], [5, 3], [1, 3]]; // dashes of earlier runs, the latest first

export class CurveCard extends Card {
  // `lines()` -> [{ name, values, run }]; `ghosts()` -> [{ name, values }]; `level()`: a number to be reached;
  // `marks()`: a new stretch begins where these change, values of two stretches cannot be compared; `scalar`: the
  // quantity it shows, which can be asked why.
  constructor(view, said) {
    super(view, null, { ...said, kind: "curve", keys: "Left and right change the iteration, Enter asks why." });
    const plain = { log: false, floor: null, whole: false };
    Object.assign(this, { ghosts: () => [], level: () => null, marks: () => null, ...plain, ...said });
    this.key = make("div", "key");
    this.note = make("p", "note");
    this.el.append(this.key, this.note);
    this.listen();
  }

  tall(width) {
    const { stage } = this.view, most = stage.layout === "big" ? Math.max(stage.room * 0.36, 96) : 140;
    return Math.min(Math.max(width * 0.46, 96), most);
  }
  plot() {
    const left = this.look.small * 3.6, below = this.look.small * 1.7;
    return { left, top: 8, w: this.width - left - 10, h: this.height - below - 8 };
  }

  get once() { return this.model.run?.about.once; }

  paint() {
    const lines = this.lines(), ghosts = this.ghosts();
    this.frame.hidden = Boolean(this.once);
    this.el.classList.toggle("once", Boolean(this.once));
    this.legend(lines, ghosts);
    if (this.once) return;
    const ctx = this.begin(), { left, w } = this.plot(), { model } = this;
    const range = rangeOf([...lines, ...ghosts].map((line) => line.values), {
      log: this.log, floor: this.floor, also: [this.level()].filter((value) => value !== null),
    });
    const { low, high, length } = range, scale = this.log ? Math.log10 : (v) => v, a = scale(low), b = scale(high);
    const { top, h } = this.plot();
    const x = (k) => left + (k / Math.max(length - 1, 1)) * w;
    const y = (v) => top + h - ((scale(v) - a) / (b - a || 1)) * h;
    this.length = length;
    const whole = this.whole || lines.every((line) => line.values.every((v) => v === null || Number.isInteger(v)));
    const draw = { ctx, x, y, length, a, b, low, high, whole };
    this.paintStretches(draw);
    this.paintAxes(draw);
    ctx.lineJoin = "round";
    ghosts.forEach((line, k) => this.path(draw, line.values, { colour: this.look.ghost, width: 1.5, dash: GREYS[k] }));
    lines.forEach((line, k) => {
      const style = { colour: this.view.palette.cluster(k), width: k ? 1.4 : 2, dash: DASHES[k % DASHES.length] };
      this.path(draw, line.values, { ...style, faint: true });
      this.path(draw, line.values, { ...style, upTo: model.shown + 1 });
    });
    this.paintMarker(draw, lines);
    const said = lines.map((line) => `${line.name}: ${number(at(line.values, model.shown))}`).join("; ");
    this.alt(`${said} at iteration ${model.shown} of ${model.last}.`);
  }

  // Every second stretch is shaded: values of two stretches cannot be compared.
  paintStretches({ ctx, x, length }) {
    const { top, h, left, w } = this.plot(), marks = this.marks();
    this.breaks = new Set();
    if (!marks) return;
    ctx.fillStyle = this.look.soft;
    stretchesOf(marks, Math.min(marks.length, length)).forEach(([from, to], k) => {
      if (from) this.breaks.add(from);
      const start = Math.max(x(from - 0.5), left), end = Math.min(x(to + 0.5), left + w);
      if (k % 2) ctx.fillRect(start, top, end - start, h);
    });
  }

  paintAxes({ ctx, x, y, length, a, b, low, high, whole }) {
    const { left, top, w, h } = this.plot(), { look } = this;
    ctx.lineWidth = 1;
    ctx.strokeStyle = look.line;
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "right";
    for (const tick of this.log ? logTicks(a, b) : niceTicks(low, high, whole ? 4 : 3)) {
      if (whole && tick % 1) continue;
      line(ctx, left, y(tick), left + w, y(tick));
      ctx.fillText(number(tick), left - 5, y(tick));
    }
    ctx.textAlign = "center";
    for (const tick of niceTicks(0, length - 1, Math.max(2, Math.floor(w / 60)))) {
      if (tick % 1 === 0) ctx.fillText(String(tick), x(tick), this.height - look.small * 0.6);
    }
    const wanted = this.level();
    if (wanted === null) return;
    ctx.strokeStyle = look.quiet;
    ctx.setLineDash([2, 3]);
    line(ctx, left, y(wanted), left + w, y(wanted));
    ctx.setLineDash([]);
    this.levelAt = top + h - y(wanted);
  }

  path({ ctx, x, y }, values, { colour, width, dash = [], upTo = values.length, faint = false }) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    ctx.globalAlpha = faint ? 0.3 : 1;
    ctx.beginPath();
    let pen = false;
    for (let k = 0; k < Math.min(upTo, values.length); k++) {
      const value = values[k];
      if (value === null || value === undefined || (this.log && value <= 0)) { pen = false; continue; }
      if (pen && !this.breaks.has(k)) ctx.lineTo(x(k), y(value));
      else ctx.moveTo(x(k), y(value));
      pen = true;
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
  }

  paintMarker({ ctx, x, y }, lines) {
    const { shown } = this.model, { top, h } = this.plot();
    if (shown < 0) return;
    ctx.strokeStyle = this.look.text;
    ctx.lineWidth = this.pinned ? 2 : 1;
    line(ctx, x(shown), top, x(shown), top + h);
    lines.forEach(({ values }, k) => {
      const value = at(values, shown);
      if (value === null || value === undefined || (this.log && value <= 0)) return;
      ctx.fillStyle = this.view.palette.cluster(k);
      ctx.beginPath();
      ctx.arc(x(Math.min(shown, values.length - 1)), y(value), 3.2, 0, 6.2832);
      ctx.fill();
    });
  }

  get pinned() {
    const { pin } = this.model;
    return Boolean(this.scalar && pin?.quantity === this.scalar);
  }

  legend(lines, ghosts) {
    const { shown } = this.model, now = (values) => number(at(values, shown));
    say(this.readout, lines.length ? now(lines[0].values) : "");
    this.el.classList.toggle("pinned", this.pinned);
    const entries = lines.length > 1 || ghosts.length || this.level() !== null ? [
      ...lines.map((one, k) => ({ ...one, colour: this.view.palette.cluster(k), dashed: k > 0 })),
      ...(this.level() !== null && !this.once ? [{ name: `wanted: ${number(this.level())}`, dotted: true }] : []),
      ...ghosts.map((one, k) => ({ ...one, grey: true, dashed: k > 0 })),
    ] : [];
    fill(this.key, entries, () => {
      const item = make("span");
      item.append(make("i"), make("b"), make("em"));
      return item;
    }, (item, { name, values, colour, dashed, dotted, grey }) => {
      const style = dotted ? "dotted" : dashed ? "dashed" : "solid";
      item.children[0].style.borderTop = `2px ${style} ${grey ? this.look.ghost : colour || this.look.quiet}`;
      if (item.dataset.name !== name) item.children[1].replaceChildren(...withIndices((item.dataset.name = name)));
      say(item.children[2], values && !grey ? now(values) : "");
    });
    say(this.note, this.marks() && !this.once ? "Shaded in turn: values of two stretches cannot be compared." : "");
  }

  listen() {
    const { frame, view } = this;
    const under = (event) => placeUnder(this.at(event)[0], this.plot(), this.length || 1);
    let from = null;
    frame.onpointerdown = (event) => {
      from = this.at(event)[0];
      this.dragging = true;
      try { frame.setPointerCapture(event.pointerId); } catch { /* gone */ }
      view.scrub(under(event));
    };
    frame.onpointermove = (event) => { if (this.dragging) view.scrub(under(event)); };
    frame.onpointerup = (event) => {
      if (this.dragging && Math.abs(this.at(event)[0] - from) < 5) this.askWhy();
      this.dragging = false;
    };
    frame.onpointercancel = () => { this.dragging = false; };
    frame.onkeydown = (event) => {
      if (event.key !== "Enter" || !this.scalar) return;
      this.askWhy();
      event.preventDefault();
      event.stopPropagation();
    };
    this.readout.onclick = () => this.askWhy();
  }

  askWhy() {
    if (this.scalar) this.view.pointer.pin({ part: this.model.run.id, quantity: this.scalar, where: {} }, true);
  }
}

function line(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

// Every curve of the runs on the stage: objective and terms, clusters found, scores, the methods' own scalars.
export function curveCards(view) {
  const { model } = view, { about } = model.run, several = model.runs.length > 1;
  const course = (of) => model.runs.map((run) => ({ name: view.nameOf(run), values: run.rows.map(of), run }));
  const mine = (of) => model.run.rows.map(of), ghosts = (of) => () => model.run.ghosts.map((ghost) => ({
    name: ghost.title, values: of(ghost) || [],
  }));
  const one = (name, of) => (several ? course(of) : [{ name, values: mine(of) }]);
  const terms = Object.keys(model.run.rows.at(-1)?.terms || {});
  const split = !several && terms.length > 1 ? terms : [];
  // a method of one step has one number for it, under its own name
  const objective = about.once && terms.length === 1 ? terms[0] : "objective";
  const cards = [
    new CurveCard(view, {
      title: objective, meaning: about.monotone ? "It never rises." : "It need not fall at every step.",
      lines: () => [...one(objective, (row) => row.f),
        ...split.map((name) => ({ name, values: mine((row) => row.terms[name]) }))],
      ghosts: ghosts((ghost) => ghost.f),
      marks: () => (about.stretches ? mine((row) => row.scalars[about.stretches]) : null),
    }),
    new CurveCard(view, {
      title: `${about.found} found`, meaning: `The ${about.found} the method itself ends with.`, whole: true,
      lines: () => one("found", (row) => row.found),
      ghosts: ghosts((ghost) => ghost.found),
      level: () => model.run.about.k,
    }),
  ];
  const scores = Object.keys(model.run.rows[0]?.scores || {}), truth = Boolean(model.data.truth);
  if (scores.length) cards.push(new CurveCard(view, {
    title: truth ? "score against the truth" : "agreement with the base clusterings",
    meaning: truth ? "Adjusted Rand index and normalised mutual information with the true classes."
      : "Mean normalised mutual information with the base clusterings.",
    lines: () => (several ? course((row) => row.scores[scores[0]])
      : scores.map((name) => ({ name, values: mine((row) => row.scores[name]) }))),
    ghosts: ghosts((ghost) => ghost.scores[scores[0]]),
    floor: 0,
  }));
  const shared = (curve) => model.runs.filter((run) => run.about.curves.some((other) => other.name === curve.name));
  for (const curve of about.curves) cards.push(new CurveCard(view, {
    title: curve.meaning, letter: curve.letter, equation: curve.equation, log: curve.log, minor: curve.minor,
    scalar: curve.name, own: true,
    lines: () => shared(curve).map((run) => ({
      name: several ? view.nameOf(run) : curve.letter, values: run.rows.map((row) => row.scalars[curve.name]), run,
    })),
    ghosts: ghosts((ghost) => ghost.scalars[curve.name]),
  }));
  return cards;
}
