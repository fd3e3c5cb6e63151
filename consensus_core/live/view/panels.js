// What is said in words and numbers: the pinned entry and why, the clusters, the least certain objects.

class WhyPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel why");
    this.el.setAttribute("aria-live", "polite");
    this.title = make("h3", "", "Why this value?");
    this.values = make("div", "values");
    this.formula = make("div", "formula");
    this.words = make("p", "words");
    this.el.append(this.title, this.values, this.formula, this.words);
  }

  paint() {
    const { model } = this.view, { pin } = model;
    this.el.classList.toggle("empty", !pin);
    if (!pin || !model.about) {
      say(this.title, "Why this value?");
      say(this.words, "Point at a picture to read it; click an entry to keep it and see how its value came about.");
      this.values.replaceChildren();
      say(this.formula, "");
      return;
    }
    say(this.title, this.named(pin));
    const answer = this.view.answers.pin;
    const known = answer && answer.id === this.view.pinId ? answer : null;
    const pictures = model.about.pictures.filter((picture) => model.whereOf(picture) && ["matrix", "bars"].includes(picture.draw));
    pictures.forEach((picture, k) => {
      let item = this.values.children[k];
      if (!item) {
        item = make("button", "value");
        item.type = "button";
        item.append(make("b"), make("span"));
        this.values.append(item);
      }
      const card = this.view.cards.get(picture.name), exact = known?.i === model.shown ? known.values[picture.name] : undefined;
      if (item.dataset.letter !== picture.letter) item.children[0].replaceChildren(...formula((item.dataset.letter = picture.letter)).childNodes);
      say(item.children[1], exact !== undefined ? inWords(exact) : `≈ ${inWords(card?.valueOf?.(pin))}`);
      item.title = picture.meaning;
      item.disabled = !picture.explained;
      item.setAttribute("aria-pressed", String(this.view.asked === picture.name));
      item.onclick = () => { if (this.view.asked !== picture.name) this.view.pinTo(pin, picture.name); }; // to ask again is no unpinning
    });
    while (this.values.children.length > pictures.length) this.values.lastChild.remove();
    const why = known?.why;
    if (!why) return say(this.words, this.view.asked ? "…" : "Choose a quantity above to see how its value came about.");
    this.formula.hidden = !why.formula;
    if (this.formula.dataset.said !== JSON.stringify(why)) {
      this.formula.dataset.said = JSON.stringify(why);
      const result = why.value === null || why.value === undefined ? "" : inWords(why.value);
      const numbers = readable(why.numbers), lines = [why.formula, numbers].filter(Boolean).map(formula);
      if (lines.length && !numbers.replace(/-/g, "−").trimEnd().endsWith(`= ${result}`)) lines.push(make("div", "result", `= ${result}`));
      this.formula.replaceChildren(...lines);
    }
    say(this.words, `${readable(why.words)} (iteration ${known.i})`);
  }

  named(pin) {
    const { model } = this.view, parts = [];
    for (const object of [pin.object, pin.other]) {
      if (object === undefined || object === null) continue;
      parts.push(`${model.name(object)} (cluster ${model.label(object) + 1})`);
    }
    const text = [parts.length ? `Object${parts.length > 1 ? "s" : ""} ${parts.join(" and ")}` : ""];
    if (pin.hyperedge !== undefined) text.push(`cluster ${model.about.hyperedges[pin.hyperedge] ?? pin.hyperedge + 1}`);
    if (pin.clustering !== undefined) text.push(`base clustering ${model.data.names[pin.clustering]}`);
    return text.filter(Boolean).join(", ") || "The pinned entry";
  }
}

class ClustersPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel clusters");
    this.el.append(make("h3", "", "Clusters"));
    this.list = make("div", "sizes");
    this.note = make("p", "note");
    this.el.append(this.list, this.note);
  }

  paint() {
    const { model } = this.view, { data, row } = model;
    if (!row) return;
    let k = 0;
    for (const label of row.labels) k = Math.max(k, label + 1);
    const sizes = new Float64Array(k), sure = new Float64Array(k);
    for (let p = 0; p < data.q; p++) {
      sizes[row.labels[p]] += data.counts[p];
      sure[row.labels[p]] += (data.counts[p] * row.sure[p]) / 254;
    }
    const most = Math.max(...sizes), shown = Array.from({ length: k }, (_, l) => l).filter((l) => sizes[l] > 0);
    shown.forEach((label, at) => {
      let item = this.list.children[at];
      if (!item) {
        item = make("button", "size");
        item.type = "button";
        item.append(make("b"), make("span", "bar"), make("span", "count"));
        item.children[1].append(make("i"), make("i"));
        this.list.append(item);
      }
      say(item.children[0], String(label + 1));
      item.children[0].style.color = clusterInk(label, this.view.look.dark);
      item.children[1].children[0].style.background = clusterColour(label);
      item.children[1].children[1].style.background = clusterColour(label);
      item.children[1].children[0].style.width = `${(100 * sure[label]) / most}%`;
      item.children[1].children[1].style.width = `${(100 * (sizes[label] - sure[label])) / most}%`;
      say(item.children[2], sizes[label].toLocaleString("en-US"));
      item.setAttribute("aria-label", `Cluster ${label + 1}: ${sizes[label]} objects, mean certainty ${inWords(sure[label] / sizes[label])}. Select them.`);
      item.onclick = () => this.view.select([...data.member.keys()].filter((object) => model.label(object) === label));
    });
    while (this.list.children.length > shown.length) this.list.lastChild.remove();
    let total = 0;
    for (const s of sure) total += s;
    say(this.note, `Strong colour: the certain share. Mean certainty ${inWords(total / data.n)}.`);
  }
}

class UncertainPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel uncertain");
    this.heading = make("h3");
    this.table = make("table");
    const head = make("thead"), line = make("tr");
    for (const name of ["object", "cluster", "or rather", "certainty"]) line.append(make("th", "", name));
    head.append(line);
    this.body = make("tbody");
    this.table.append(head, this.body);
    this.all = make("button", "link", "select the 20 least certain");
    this.all.type = "button";
    this.all.onclick = () => this.view.select(this.least(20));
    this.el.append(this.heading, this.table, this.all);
  }

  // The selection if there is one, else the least certain of all; either way the least certain first.
  least(count) {
    const { data, row } = this.view.model;
    const rows = Array.from({ length: data.q }, (_, p) => p).sort((a, b) => row.sure[a] - row.sure[b] || a - b);
    const members = Array.from({ length: data.q }, () => []), chosen = [];
    const few = new Set();
    let sum = 0;
    for (const p of rows) { few.add(p); sum += data.counts[p]; if (sum >= count) break; }
    for (let object = 0; object < data.n; object++) if (few.has(data.member[object])) members[data.member[object]].push(object);
    for (const p of rows) { if (chosen.length >= count) break; chosen.push(...members[p]); }
    return chosen.slice(0, count);
  }

  paint() {
    const { model } = this.view, { row, selected } = model;
    if (!row) return;
    const chosen = selected.size
      ? [...selected].sort((a, b) => model.sureness(a) - model.sureness(b) || a - b).slice(0, 9)
      : this.least(9);
    say(this.heading, selected.size ? `${selected.size.toLocaleString("en-US")} selected, least certain first` : "Least certain first");
    say(this.all, selected.size ? "clear the selection" : "select the 20 least certain");
    this.all.onclick = () => this.view.select(selected.size ? [] : this.least(20));
    chosen.forEach((object, k) => {
      let line = this.body.children[k];
      if (!line) {
        line = make("tr");
        for (let c = 0; c < 4; c++) line.append(make("td"));
        line.children[0].append(make("button", "link"));
        line.children[3].append(make("span", "meter"), make("em"));
        line.children[3].firstChild.append(make("i"));
        this.body.append(line);
      }
      const p = model.data.member[object], sure = model.sureness(object), pinned = model.pin && [model.pin.object, model.pin.other].includes(object);
      say(line.children[0].firstChild, model.name(object));
      line.children[0].firstChild.onclick = () => this.view.pinTo({ object });
      say(line.children[1], String(row.labels[p] + 1));
      line.children[1].style.color = clusterInk(row.labels[p], this.view.look.dark);
      say(line.children[2], String(row.second[p] + 1));
      line.children[2].style.color = clusterInk(row.second[p], this.view.look.dark);
      line.children[3].firstChild.firstChild.style.width = `${100 * sure}%`;
      say(line.children[3].lastChild, sure.toFixed(2));
      line.classList.toggle("pinned", Boolean(pinned));
    });
    while (this.body.children.length > chosen.length) this.body.lastChild.remove();
  }
}
