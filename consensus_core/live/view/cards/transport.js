// Play, pause, step, back, restart, speed and the scrubber; the sentence that says where the runs stand.

import { make, say, withIndices } from "../dom.js";
import { counted, number } from "../numbers.js";
import { SPEEDS } from "../player.js";

const ICONS = {
  play: "M6 4l14 8-14 8z", pause: "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z", step: "M5 4l10 8-10 8zM16.5 4H20v16h-3.5z",
  back: "M19 4L9 12l10 8zM4 4h3.5v16H4z", restart: "M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
};
const CALM = 80; // milliseconds between two sentences while it plays

function iconButton(icon, label, act) {
  const button = make("button", "icon");
  button.type = "button";
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.onclick = act;
  return button;
}

export class Transport {
  constructor(view) {
    this.view = view;
    this.el = make("div", "transport");
    const bar = make("div", "bar");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Run");
    this.restart = iconButton("restart", "Restart (Home)", () => view.restart());
    this.restart.classList.add("restart");
    this.back = iconButton("back", "Back (left arrow)", () => view.back());
    this.play = iconButton("play", "Play (space)", () => view.play());
    this.play.classList.add("main");
    this.step = iconButton("step", "Step (right arrow)", () => view.step());
    this.range = make("input", "places");
    Object.assign(this.range, { type: "range", min: "0" });
    this.range.setAttribute("aria-label", "Iteration");
    this.range.oninput = () => view.scrub(Number(this.range.value));
    this.count = make("output", "count");
    this.speed = make("select", "speed");
    this.speed.setAttribute("aria-label", "Speed");
    this.speed.title = "Iterations shown in a second";
    for (const [value, label] of SPEEDS) {
      const option = make("option", "", label);
      option.value = value;
      this.speed.append(option);
    }
    this.speed.value = String(view.player.speed);
    this.speed.onchange = () => view.setSpeed(Number(this.speed.value));
    bar.append(this.restart, this.back, this.play, this.step, this.range, this.count, this.speed);
    this.status = make("p", "status");
    this.status.setAttribute("role", "status");
    this.remarks = make("p", "remarks");
    this.el.append(bar, view.dials.el, this.status, this.remarks);
  }

  paint() {
    const { view } = this, { model, player } = view;
    this.paintPlay(player.moving);
    const { shown, last, over } = model;
    this.back.disabled = shown <= 0;
    this.step.disabled = over && shown >= last;
    this.range.max = String(Math.max(last, 1));
    if (Number(this.range.value) !== shown) this.range.value = String(Math.max(shown, 0));
    this.range.setAttribute("aria-valuetext", `iteration ${shown} of ${last}`);
    this.range.style.setProperty("--at", `${(100 * Math.max(shown, 0)) / Math.max(last, 1)}%`);
    say(this.count, `${Math.max(shown, 0)} / ${Math.max(last, 0)}${over ? "" : "+"}`);
    this.paintStatus(player.moving);
    this.paintRemarks();
    view.dials.paint();
  }

  paintPlay(playing) {
    if (this.playing === playing) return;
    this.playing = playing;
    this.play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
    const label = playing ? "Pause (space)" : "Play (space)";
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }

  // Read aloud when it rests, not ten times a second.
  paintStatus(playing) {
    const lines = this.lines(), key = JSON.stringify(lines), now = performance.now();
    if (this.stands === key || (playing && now - (this.when || 0) < CALM)) return;
    this.stands = key;
    this.when = now;
    this.status.setAttribute("aria-live", playing ? "off" : "polite");
    const piece = (part, k) => {
      const element = make(k ? "span" : "strong", part.doubtful ? "doubtful" : "");
      element.append(...withIndices(part.text ?? part));
      return element;
    };
    this.status.replaceChildren(...lines.map((parts) => {
      const line = make("span", "line");
      line.append(...parts.map(piece));
      return line;
    }));
  }

  paintRemarks() {
    const { model, notice } = this.view, errors = this.said((run) => [run.error]);
    const long = (run) => !run.error && (run.live ? run.left || !run.rows.length : !run.rows.length);
    const quicker = this.said((run) => [long(run) && run.about.quicker]);
    const remarks = this.said((run) => run.row(model.shown)?.remarks || []);
    say(this.remarks, (errors.length ? errors : [notice, ...quicker, ...remarks]).filter(Boolean).join(" "));
    this.remarks.classList.toggle("error", errors.length > 0);
  }

  // The same words once; whose they are stands before them, unless it is everybody's.
  said(told) {
    const { runs } = this.view.model, whose = new Map();
    for (const run of runs) {
      for (const words of told(run).filter(Boolean)) whose.set(words, [...(whose.get(words) || []), run]);
    }
    const named = (of) => (of.length < runs.length ? `${of.map((run) => this.view.nameOf(run)).join(", ")}: ` : "");
    return [...whose].map(([words, of]) => named(of) + words);
  }

  lines() {
    const { model } = this.view, several = model.runs.length > 1;
    return model.runs.map((run) => (several ? [this.view.nameOf(run), ...this.parts(run)] : this.parts(run)));
  }

  parts(run) {
    const { model } = this.view, { about } = run, row = run.row(model.shown);
    if (!row) return this.before(run);
    const parts = [`Iteration ${row.i}`];
    if (row.stage) parts.push(row.stage);
    if (!about.once) parts.push(`objective ${number(row.f)}`);
    const { scene } = this.view;
    if (!scene.hides("labels")) parts.push(`${row.found} of ${counted(about.k, about.found.replace(/s$/, ""))}`);
    if (!scene.hides("scores")) {
      for (const [name, value] of Object.entries(row.scores)) parts.push(`${name} ${number(value)}`);
    }
    if (row.because) parts.push({ text: row.because.replace(/\.$/, ""), doubtful: !row.answer });
    else if (run.state === "waiting" && !run.left) parts.push("waiting for a free place");
    if (run.left) parts.push(run.left);
    return parts;
  }

  before({ state, about, left }) {
    const { data } = this.view.model, rows = counted(data.q, "different row of labels", "different rows of labels");
    if (state === "waiting" && left) return ["Not begun", left];
    if (state === "waiting" && !about.cost) return ["Waiting for a free place …"];
    if (state === "failed") return ["This run could not start."];
    if (state === "paused") {
      return ["Not begun", `It will take ${about.cost || "a moment"} for ${rows}. Press play to begin all the same.`];
    }
    return about.cost ? ["Beginning …", `It will take ${about.cost} for ${rows}.`] : ["Beginning …"];
  }
}
