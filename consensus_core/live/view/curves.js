// Numbers over the iterations: this run in colour, earlier runs in grey, a marker at the shown iteration.

const LINES = ["#0072b2", "#d55e00", "#009e73", "#c46ba8", "#8c7a00", "#6f5bd0"];
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 2], [10, 4]];

class CurveCard extends Card {
  constructor(view, { title, letter = "", meaning = "", equation = "", series, ghosts = () => [], level = null, log = false, floor = null, whole = false, scalar = false, minor = false }) {
    super(view, { title, letter, equation, kind: "curve", meaning: meaning || title, keys: "Left and right change the iteration." });
    Object.assign(this, { series, ghosts, level, log, lowest: floor, whole, scalar, minor });
    this.key = make("div", "key");
    this.el.append(this.key);
    this.listen();
  }

  get model() { return this.view.model; }
  tall(width) { return Math.min(Math.max(width * 0.46, 96), 140); }
  plot() { return { left: 44, top: 8, w: this.width - 54, h: this.height - 26 }; }

  ends(lines) {
    let low = Infinity, high = -Infinity, length = 1;
    const { level } = this;
    for (const line of lines) {
      length = Math.max(length, line.values.length);
      for (const value of line.values) if (value !== null && Number.isFinite(value) && (!this.log || value > 0)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const wanted = level?.();
    if (wanted !== undefined && wanted !== null) { low = Math.min(low, wanted); high = Math.max(high, wanted); }
    if (this.lowest !== null && low > this.lowest) low = this.lowest;
    if (low > high) return { low: 0, high: 1, length };
    if (low === high) { const room = Math.abs(low) * 0.05 || 0.5; low -= room; high += room; }
    return { low, high, length };
  }

  paint() {
    const ctx = this.begin(), { view, model } = this, { look } = view, { left, top, w, h } = this.plot();
    const lines = this.series(), grey = this.ghosts();
    const { low, high, length } = this.ends([...lines, ...grey]);
    const scale = this.log ? Math.log10 : (v) => v, a = scale(low), b = scale(high);
    const x = (k) => left + (k / Math.max(length - 1, 1)) * w, y = (v) => top + h - ((scale(v) - a) / (b - a || 1)) * h;
    this.x = x;
    this.length = length;
    ctx.lineWidth = 1;
    ctx.strokeStyle = look.line;
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "right";
    const ticks = this.log ? logTicks(a, b) : niceTicks(low, high, this.whole ? 4 : 3);
    for (const tick of ticks) {
      if (this.whole && tick % 1) continue;
      ctx.beginPath(); ctx.moveTo(left, y(tick)); ctx.lineTo(left + w, y(tick)); ctx.stroke();
      ctx.fillText(inWords(tick), left - 5, y(tick));
    }
    ctx.textAlign = "center";
    for (const tick of niceTicks(0, length - 1, Math.max(2, Math.floor(w / 60)))) if (tick % 1 === 0) ctx.fillText(String(tick), x(tick), this.height - 8);
    const wanted = this.level?.();
    if (wanted !== undefined && wanted !== null) {
      ctx.strokeStyle = look.quiet;
      ctx.setLineDash([2, 3]);
      ctx.beginPath(); ctx.moveTo(left, y(wanted)); ctx.lineTo(left + w, y(wanted)); ctx.stroke();
      ctx.setLineDash([]);
    }
    const path = (values, upTo = values.length) => {
      ctx.beginPath();
      let pen = false;
      for (let k = 0; k < upTo; k++) {
        const value = values[k];
        if (value === null || value === undefined || (this.log && value <= 0)) { pen = false; continue; }
        if (pen) ctx.lineTo(x(k), y(value)); else ctx.moveTo(x(k), y(value));
        pen = true;
      }
      ctx.stroke();
    };
    ctx.lineJoin = "round";
    ctx.strokeStyle = look.ghost;
    ctx.lineWidth = 1.5;
    for (const line of grey) path(line.values);
    lines.forEach((line, k) => {
      ctx.strokeStyle = LINES[k % LINES.length];
      ctx.lineWidth = k ? 1.4 : 2;
      ctx.setLineDash(DASHES[k % DASHES.length]);
      ctx.globalAlpha = 0.3;
      path(line.values);
      ctx.globalAlpha = 1;
      path(line.values, model.shown + 1);
      ctx.setLineDash([]);
    });
    if (model.shown >= 0) {
      ctx.strokeStyle = look.text;
      ctx.lineWidth = 1;
      ctx.beginPath(); ctx.moveTo(x(model.shown), top); ctx.lineTo(x(model.shown), top + h); ctx.stroke();
      lines.forEach((line, k) => {
        const value = line.values[model.shown];
        if (value === null || value === undefined || (this.log && value <= 0)) return;
        ctx.fillStyle = LINES[k % LINES.length];
        ctx.beginPath(); ctx.arc(x(model.shown), y(value), 3.2, 0, 6.2832); ctx.fill();
      });
    }
    this.legend(lines, grey);
    this.alt(`${lines.map((line) => `${line.name}: ${inWords(line.values[model.shown])}`).join("; ")} at iteration ${model.shown} of ${model.last}.`);
  }

  legend(lines, grey) {
    say(this.readout, lines.length ? inWords(lines[0].values[this.model.shown]) : "");
    const several = lines.length > 1 || grey.length > 0;
    while (this.key.children.length > lines.length) this.key.lastChild.remove();
    lines.forEach((line, k) => {
      let item = this.key.children[k];
      if (!item) {
        item = make("span");
        item.append(make("i"), make("b"), make("em"));
        this.key.append(item);
      }
      item.hidden = !several;
      item.children[0].style.borderTop = `2px ${k ? "dashed" : "solid"} ${LINES[k % LINES.length]}`;
      say(item.children[1], line.name);
      say(item.children[2], inWords(line.values[this.model.shown]));
    });
  }

  listen() {
    const { frame, view } = this;
    const go = (event) => {
      if (!this.x) return;
      const [x] = this.at(event), { left, w } = this.plot();
      view.scrub(Math.round(Math.min(Math.max((x - left) / w, 0), 1) * (this.length - 1)));
    };
    frame.onpointerdown = (event) => { this.dragging = true; try { frame.setPointerCapture(event.pointerId); } catch { /* gone */ } go(event); };
    frame.onpointermove = (event) => { if (this.dragging) go(event); };
    frame.onpointerup = () => { this.dragging = false; };
  }
}

function logTicks(a, b) {
  const ticks = [];
  for (let k = Math.ceil(a); k <= b; k += Math.max(1, Math.ceil((b - a) / 4))) ticks.push(10 ** k);
  return ticks.length > 1 ? ticks : [10 ** a, 10 ** b];
}

// Every curve a run has: objective and terms, components, scores, the method's own scalars.
function curveCards(view) {
  const { model } = view, { about } = model, rows = () => model.rows;
  const terms = () => Object.keys(model.rows.at(-1)?.terms || {});
  const cards = [
    new CurveCard(view, {
      title: "objective", meaning: about.monotone ? "It never rises." : "It need not fall at every step: see the method's page.",
      series: () => [
        { name: "objective", values: rows().map((row) => row.f) },
        ...(terms().length > 1 ? terms().map((name) => ({ name, values: rows().map((row) => row.terms[name]) })) : []),
      ],
      ghosts: () => model.ghosts.map((ghost) => ({ values: ghost.f })),
    }),
    new CurveCard(view, {
      title: "components found", meaning: "Clusters the method itself ends with, against the number wanted (dotted).", whole: true,
      series: () => [{ name: "found", values: rows().map((row) => row.found) }],
      ghosts: () => model.ghosts.map((ghost) => ({ values: ghost.found })),
      level: () => about.k,
    }),
  ];
  const scores = Object.keys(model.rows[0]?.scores || {});
  if (scores.length) cards.push(new CurveCard(view, {
    title: model.data.truth ? "score against the truth" : "agreement with the base clusterings",
    meaning: model.data.truth ? "Adjusted Rand index and normalised mutual information with the true classes." : "Mean normalised mutual information with the base clusterings.",
    series: () => scores.map((name) => ({ name, values: rows().map((row) => row.scores[name]) })),
    ghosts: () => model.ghosts.map((ghost) => ({ values: ghost.scores[scores[0]] || [] })),
    floor: 0,
  }));
  for (const curve of about.curves) cards.push(new CurveCard(view, {
    title: curve.meaning, letter: curve.letter, equation: curve.equation, log: curve.log, scalar: true, minor: curve.minor,
    series: () => [{ name: curve.letter, values: rows().map((row) => row.scalars[curve.name]) }],
    ghosts: () => model.ghosts.map((ghost) => ({ values: ghost.scalars[curve.name] || [] })),
  }));
  return cards;
}
