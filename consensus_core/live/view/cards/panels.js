// What is said in numbers beside the pictures: the clusters, and the least certain objects or those selected.

import { button, fill, make, say } from "../dom.js";
import { CLUSTER, pinOf } from "../model.js";
import { counted, grouped, number } from "../numbers.js";

const LISTED = 1000; // objects of a selection in the table
const FIRST = 9; // least certain objects in it

export class ClustersPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel clusters");
    this.el.append(make("h3", "", "Clusters"));
    this.list = make("div", "sizes");
    this.note = make("p", "note");
    this.el.append(this.list, this.note);
  }

  get share() { return 0.35 + 0.1 * this.view.model.run.about.k; } // of a column's width it is high, about

  paint() {
    const { view } = this, { model, palette, look } = view, labels = model.labelsOf(), { data } = model;
    if (!labels) return;
    const { sizes, sure } = this.sizes(labels), most = Math.max(...sizes), own = model.tints();
    this.el.classList.toggle("named", Object.keys(model.naming()?.names || {}).length > 0);
    const shown = [...sizes.keys()].filter((label) => sizes[label] > 0);
    fill(this.list, shown, () => {
      const item = button("size", "", "", null);
      item.append(make("b"), make("span", "amount"), make("span", "count"));
      item.children[1].append(make("i"), make("i"));
      return item;
    }, (item, label) => {
      const [name, bar, count] = item.children, [certain, rest] = bar.children;
      say(name, model.cluster(label));
      name.title = model.inWords(label);
      name.style.color = palette.ink(label, look.dark, own);
      certain.style.background = rest.style.background = palette.cluster(label, own);
      const share = Math.max(sure[label], 0); // below 0 where most of a cluster is nearer to another one
      certain.style.width = `${(100 * share) / most}%`;
      rest.style.width = `${(100 * (sizes[label] - share)) / most}%`;
      say(count, grouped(sizes[label]));
      const mean = number(sure[label] / sizes[label]);
      item.setAttribute("aria-label",
        `${model.inWords(label)}: ${counted(sizes[label], "object")}, mean certainty ${mean}. Select them.`);
      item.onclick = () => view.pointer.select(
        [...data.member.keys()].filter((object) => model.label(object) === label));
    });
    const total = sure.reduce((sum, one) => sum + one, 0);
    say(this.note, `Strong colour: the certain share. Mean certainty ${number(total / data.n)}.`);
  }

  // Objects in each cluster, and their certainty added up; counted once for one consensus.
  sizes(labels) {
    const { model } = this.view, { data } = model, called = model.naming();
    if (labels.sizes?.called === called) return labels.sizes;
    const k = labels.labels.reduce((most, label) => Math.max(most, label), -1) + 1;
    const sizes = Array(k).fill(0), sure = Array(k).fill(0);
    for (let p = 0; p < data.q; p++) {
      const label = model.into(labels.labels[p]);
      sizes[label] += data.counts[p];
      sure[label] += data.counts[p] * labels.sure[p];
    }
    return (labels.sizes = { sizes, sure, called });
  }
}

export class UncertainPanel {
  constructor(view) {
    this.view = view;
    this.el = make("section", "panel uncertain");
    this.heading = make("h3");
    this.scroll = make("div", "scroll");
    this.scroll.setAttribute("role", "region");
    this.table = make("table");
    const head = make("thead"), line = make("tr");
    for (const name of ["object", "cluster", "or rather", "certainty"]) line.append(make("th", "", name));
    head.append(line);
    this.body = make("tbody");
    this.table.append(head, this.body);
    this.scroll.append(this.table);
    this.note = make("p", "note");
    this.all = button("link", "select the 20 least certain", "", () => this.choose());
    this.el.append(this.heading, this.scroll, this.note, this.all);
  }

  get share() { return 1.2; }

  // It can be pressed before it was painted: what is pressed counts as it stands now.
  choose() {
    const { model, pointer } = this.view;
    if (model.labelsOf()) pointer.select(model.selected.size ? [] : this.least(20));
  }

  // The least certain objects; those of one microcluster in the order of the table.
  least(count) {
    const { model } = this.view, { data } = model, labels = model.labelsOf();
    const { sure } = labels;
    labels.least ||= Array.from({ length: data.q }, (_, p) => p).sort((a, b) => sure[a] - sure[b] || a - b);
    const few = new Map();
    let sum = 0;
    for (const p of labels.least) {
      few.set(p, []);
      sum += data.counts[p];
      if (sum >= count) break;
    }
    for (let object = 0; object < data.n; object++) few.get(data.member[object])?.push(object);
    return [...few.values()].flat().slice(0, count);
  }

  paint() {
    const { view } = this, { model, palette, look } = view, labels = model.labelsOf(), { selected, pin } = model;
    if (!labels) return;
    const sorted = selected.size
      ? [...selected].sort((a, b) => model.sureness(a) - model.sureness(b) || a - b) : this.least(FIRST);
    const listed = sorted.slice(0, LISTED), chosen = selected.size > 0;
    say(this.heading, chosen ? `${grouped(selected.size)} selected, least certain first` : "Least certain first");
    say(this.note, listed.length < sorted.length ? `${grouped(listed.length)} of them are listed.` : "");
    say(this.all, chosen ? "clear the selection" : "select the 20 least certain");
    this.scroll.setAttribute("aria-label", chosen ? "The objects selected" : "The least certain objects");
    this.scroll.tabIndex = listed.length > FIRST ? 0 : -1; // what scrolls can be reached by the keyboard
    fill(this.body, listed, () => {
      const line = make("tr");
      for (let c = 0; c < 4; c++) line.append(make("td"));
      line.children[0].append(button("link", "", "", null));
      line.children[3].append(make("span", "meter"), make("em"));
      line.children[3].firstChild.append(make("i"));
      return line;
    }, (line, object) => {
      const p = model.data.member[object], sure = labels.sure[p], [name, mine, other, certainty] = line.children;
      say(name.firstChild, model.name(object));
      const alone = pinOf(model.run.id, CLUSTER, ["object"], [object]);
      name.firstChild.onclick = () => view.pointer.pin(alone);
      for (const [cell, label] of [[mine, model.into(labels.labels[p])], [other, model.into(labels.second[p])]]) {
        say(cell, model.cluster(label));
        cell.style.color = palette.ink(label, look.dark, model.tints());
      }
      certainty.firstChild.firstChild.style.width = `${100 * Math.max(sure, 0)}%`;
      say(certainty.lastChild, number(sure));
      line.classList.toggle("pinned", Boolean(pin?.where.object?.includes(object)));
    });
  }
}
