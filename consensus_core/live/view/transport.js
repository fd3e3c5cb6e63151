// Play, pause, step, back, restart, speed and the scrubber; the sentence that says where the run stands.

const ICONS = {
  play: "M6 4l14 8-14 8z", pause: "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z", step: "M5 4l10 8-10 8zM16.5 4H20v16h-3.5z",
  back: "M19 4L9 12l10 8zM4 4h3.5v16H4z", restart: "M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
};
const SPEEDS = [[1, "1 / s"], [2, "2 / s"], [5, "5 / s"], [10, "10 / s"], [20, "20 / s"], [0, "as it comes"]];

function iconButton(icon, label, act) {
  const button = make("button", "icon");
  button.type = "button";
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.onclick = act;
  return button;
}

class Transport {
  constructor(view) {
    this.view = view;
    this.el = make("div", "transport");
    const bar = make("div", "bar");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Run");
    this.restart = iconButton("restart", "Restart (Home)", () => view.restart());
    this.back = iconButton("back", "Back (left arrow)", () => view.back());
    this.play = iconButton("play", "Play (space)", () => view.toggle());
    this.play.classList.add("main");
    this.step = iconButton("step", "Step (right arrow)", () => view.step());
    this.range = make("input");
    this.range.type = "range";
    this.range.min = "0";
    this.range.setAttribute("aria-label", "Iteration");
    this.range.oninput = () => view.scrub(Number(this.range.value));
    this.count = make("output", "count");
    this.speed = make("select");
    this.speed.setAttribute("aria-label", "Speed");
    this.speed.title = "Iterations shown in a second";
    for (const [value, label] of SPEEDS) {
      const option = make("option", "", label);
      option.value = value;
      this.speed.append(option);
    }
    this.speed.value = String(view.speed);
    this.speed.onchange = () => view.setSpeed(Number(this.speed.value));
    bar.append(this.restart, this.back, this.play, this.step, this.range, this.count, this.speed);
    this.status = make("p", "status");
    this.status.setAttribute("role", "status");
    this.remarks = make("p", "remarks");
    this.el.append(bar, this.status, this.remarks);
  }

  paint() {
    const { view } = this, { model } = view, playing = view.mode === "play";
    if (this._playing !== playing) {
      this._playing = playing;
      this.play.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
      this.play.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)");
      this.play.title = playing ? "Pause (space)" : "Play (space)";
    }
    const over = ["finished", "failed", "cancelled"].includes(view.header?.state);
    this.back.disabled = model.shown <= 0;
    this.step.disabled = over && model.shown >= model.last;
    this.range.max = String(Math.max(model.last, 1));
    if (Number(this.range.value) !== model.shown) this.range.value = String(Math.max(model.shown, 0));
    this.range.setAttribute("aria-valuetext", `iteration ${model.shown} of ${model.last}`);
    this.range.style.setProperty("--at", `${(100 * Math.max(model.shown, 0)) / Math.max(model.last, 1)}%`);
    say(this.count, `${Math.max(model.shown, 0)} / ${Math.max(model.last, 0)}${over ? "" : "+"}`);
    const sentence = this.sentence();
    // read aloud at most once a second while it plays
    const now = performance.now();
    if (this._said !== sentence && (view.mode !== "play" || now - (this._when || 0) > 80)) {
      this._said = sentence;
      this._when = now;
      this.status.setAttribute("aria-live", view.mode === "play" ? "off" : "polite");
      this.status.replaceChildren(...sentence.split("|").map((part, k) => make(k ? "span" : "strong", "", part)));
    }
    const remarks = (model.row?.remarks || []).join(" ");
    say(this.remarks, view.header?.error || remarks);
    this.remarks.classList.toggle("error", Boolean(view.header?.error));
  }

  sentence() {
    const { model, header } = this.view, { row, about } = model;
    if (!row) {
      const rows = `${model.data.q.toLocaleString("en-US")} different rows of labels`;
      return {
        waiting: "Waiting for a free place …", failed: "This run could not start.",
        paused: `Not begun|It will take ${about.cost} for ${rows}. Press play to begin all the same.`,
      }[header?.state] || (about.cost ? `Beginning …|It will take ${about.cost} for ${rows}.` : "Beginning …");
    }
    const parts = [`Iteration ${row.i}`];
    if (row.stage) parts.push(readable(row.stage));
    parts.push(`objective ${inWords(row.f)}`);
    parts.push(`${row.found} of ${about.k} component${about.k > 1 ? "s" : ""}`);
    for (const curve of about.curves) if (curve.letter === "ρ" && !row.stage.includes("ρ")) parts.push(`ρ = ${inWords(row.scalars[curve.name])}`);
    for (const [name, value] of Object.entries(row.scores)) parts.push(`${name} ${inWords(value)}`);
    const why = {
      converged: "converged", max_iter: "stopped at the most steps allowed", diverged: "diverged: the last sound state is kept",
    }[row.stop];
    if (why) parts.push(why);
    else if (header.state === "waiting") parts.push("waiting for a free place");
    return parts.join("|");
  }
}
