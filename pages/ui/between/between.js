// Where results differ. Numbers come from the server; here they are laid out, and what is clicked is selected in all
// pictures: "quorum:select" on the window tells the live view, "quorum:selected" tells us what was selected there.

const SVG = 'http://www.w3.org/2000/svg';

function make(tag, className = '', text = '') {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== '') node.textContent = text;
  return node;
}

function draw(tag, attributes, ...inside) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
}

const select = (objects) => window.dispatchEvent(new CustomEvent('quorum:select', { detail: { objects } }));

// Dark blue to yellow, as in every picture.
const STOPS = ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55', '#fee838'];
function colour(value) {
  const x = Math.min(Math.max(value, 0), 1) * (STOPS.length - 1), k = Math.min(Math.floor(x), STOPS.length - 2);
  const [a, b] = [STOPS[k], STOPS[k + 1]].map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  return `rgb(${a.map((v, i) => Math.round(v + (b[i] - v) * (x - k))).join()})`;
}

function dot(cluster) {
  const mark = make('span', 'dot');
  mark.style.background = cluster.colour;
  mark.setAttribute('aria-hidden', 'true');
  return mark;
}

class Between {
  constructor(place) {
    this.place = place;
    this.measure = 'ari';
    this.parts = make('div', 'parts');
    this.picks = make('div', 'picks');
    place.replaceChildren(this.picks, this.parts);
    window.addEventListener('quorum:selected', (event) => {
      if (!place.isConnected) return;
      this.selected = new Set(event.detail.objects);
      this.mark();
    });
  }

  receive(data, tell) {
    this.tell = tell;
    const said = JSON.stringify(data);
    if (said === this.said) return;
    this.said = said;
    this.data = data;
    this.rows = new Map();
    const focused = this.place.getRootNode().activeElement?.getAttribute?.('aria-label');
    this.pickers();
    this.parts.replaceChildren(this.differing(), this.crossing(), this.flowing(), this.likeness());
    if (focused) [...this.place.querySelectorAll('select, button')].find((one) => one.ariaLabel === focused)?.focus();
    this.mark();
  }

  part(title, ...inside) {
    const part = make('section', 'part');
    part.append(make('h3', '', title), ...inside);
    return part;
  }

  // --- which two ----------------------------------------------------------------------------------------------------

  pickers() {
    const { names, places, pair } = this.data;
    const picker = (side, label) => {
      const pick = make('select');
      pick.setAttribute('aria-label', label);
      names.forEach((name, i) => pick.add(new Option(name, places[i], false, places[i] === pair[side])));
      pick.onchange = () => {
        const next = [...pair], value = Number(pick.value);
        if (next[1 - side] === value) next[1 - side] = next[side];
        next[side] = value;
        this.tell({ one: next[0], other: next[1] });
      };
      return pick;
    };
    this.picks.replaceChildren(picker(0, 'The one result'), make('span', '', 'against'), picker(1, 'The other result'));
  }

  // --- objects ------------------------------------------------------------------------------------------------------

  differing() {
    const { differ, names, places, pair } = this.data, named = (at) => names[places.indexOf(at)];
    const said = make('p', 'said', differ.said), all = make('button', '', `Select ${differ.count === 1 ? 'it' : 'all of them'}`);
    said.setAttribute('role', 'status');
    all.type = 'button';
    all.onclick = () => select(differ.every);
    if (!differ.count) return this.part('Objects on which they disagree', said);
    const table = make('table'), head = table.createTHead().insertRow();
    for (const [title, why] of [['object', ''], [named(pair[0]), ''], [named(pair[1]), ''],
      ['alike', 'how alike the two treat the object: element-centric similarity (Gates 2019), 1 is the same'],
      ['all', 'the same over all pairs of results']]) {
      const cell = make('th', title === 'alike' || title === 'all' ? '' : 'left', title);
      cell.scope = 'col';
      cell.title = why;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const object of differ.objects) {
      const row = body.insertRow(), name = make('th', 'left'), open = make('button', '', object.id);
      name.scope = 'row';
      open.type = 'button';
      open.style.minHeight = '24px';
      open.style.padding = '0 6px';
      open.onclick = () => select([object.at]);
      name.append(open);
      row.append(name);
      for (const cluster of [object.one, object.other]) {
        const cell = make('td', 'left');
        cell.append(dot(cluster), cluster.text);
        row.append(cell);
      }
      row.append(make('td', '', object.alike), make('td', '', object.everywhere));
      this.rows.set(object.at, row);
    }
    const scroll = this.scroll('The objects on which the two disagree', table);
    const left = differ.count - differ.objects.length;
    const rest = left > 0 ? [make('p', 'quiet', `${differ.objects.length} of ${differ.count} are listed, those treated least alike first.`)] : [];
    return this.part('Objects on which they disagree', said, all, make('p'), scroll, ...rest);
  }

  scroll(label, table) {
    const scroll = make('div', 'scroll');
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', label);
    scroll.append(table);
    return scroll;
  }

  // --- contingency --------------------------------------------------------------------------------------------------

  crossing() {
    const { crossed, pair, names, places } = this.data, named = (at) => names[places.indexOf(at)];
    const table = make('table'), head = table.createTHead().insertRow(), body = table.createTBody();
    const corner = make('th', 'left', `${named(pair[0])} ↓  ${named(pair[1])} →`);
    head.append(corner);
    const most = Math.max(...crossed.shared.flat(), 1), match = new Map(crossed.match);
    for (const cluster of crossed.cols) head.append(this.header('col', cluster));
    crossed.rows.forEach((cluster, i) => {
      const row = body.insertRow();
      row.append(this.header('row', cluster));
      crossed.cols.forEach((other, j) => {
        const shared = crossed.shared[i][j], cell = make('td', match.get(cluster.id) === other.id ? 'same' : '');
        if (shared) {
          const open = make('button', '', shared.toLocaleString('en'));
          open.type = 'button';
          open.setAttribute('aria-label', `${shared} objects: ${cluster.name} of ${named(pair[0])}, ${other.name} of ${named(pair[1])}`);
          open.style.background = `color-mix(in srgb, var(--st-primary-color) ${Math.round(6 + 34 * shared / most)}%, transparent)`;
          open.onclick = () => this.choose([[pair[0], cluster.id], [pair[1], other.id]]);
          cell.append(open);
        }
        row.append(cell);
      });
    });
    const said = make('p', 'quiet', 'Objects that each two clusters share; counterparts are bold. Click a number to select them everywhere.');
    return this.part('Cluster against cluster', this.scroll('Contingency table', table), said);
  }

  header(scope, cluster) {
    const cell = make('th', scope === 'row' ? 'left' : '');
    cell.scope = scope;
    cell.title = `${cluster.name}: ${cluster.objects} objects`;
    cell.append(dot(cluster), cluster.text);
    return cell;
  }

  // Objects that are in these clusters of these results.
  choose(wanted) {
    const { labels } = this.data, columns = wanted.map(([place]) => labels[place]);
    if (columns.some((column) => !column)) return;
    const found = [];
    for (let i = 0; i < columns[0].length; i++) {
      if (wanted.every(([, label], k) => columns[k][i] === label)) found.push(i);
    }
    select(found);
  }

  // --- flow ---------------------------------------------------------------------------------------------------------

  flowing() {
    const { columns, streams, n } = this.data.flow;
    if (columns.length < 2) return make('section', 'part');
    const width = 640, height = 340, top = 24, bar = 14, gap = 5, named = 34;
    const most = Math.max(...columns.map((column) => column.clusters.length));
    const scale = (height - top - gap * (most - 1)) / n, x = (at) => named + (width - 2 * named - bar) * at / (columns.length - 1);
    const svg = draw('svg', { viewBox: `0 0 ${width} ${height + 4}`, role: 'group', 'aria-label': `How clusters flow from ${columns.map((c) => c.name).join(' to ')}` });
    const place = columns.map((column) => {
      let y = top;
      const found = new Map();
      for (const cluster of column.clusters) {
        found.set(cluster.id, { cluster, y, out: y, in: y, h: cluster.objects * scale });
        y += cluster.objects * scale + gap;
      }
      return found;
    });
    this.streams = [];
    const inOrder = [...streams].sort((a, b) => a[0] - b[0] || place[a[0]].get(a[1]).y - place[b[0]].get(b[1]).y
      || place[a[0] + 1].get(a[2]).y - place[b[0] + 1].get(b[2]).y);
    for (const [at, source, target, objects] of inOrder) {
      const from = place[at].get(source), to = place[at + 1].get(target), h = objects * scale;
      const [x0, x1] = [x(at) + bar, x(at + 1)], middle = (x0 + x1) / 2;
      const path = `M${x0},${from.out} C${middle},${from.out} ${middle},${to.in} ${x1},${to.in} l0,${h} C${middle},${to.in + h} ${middle},${from.out + h} ${x0},${from.out + h} Z`;
      from.out += h;
      to.in += h;
      const said = `${objects} objects from ${from.cluster.name} of ${columns[at].name} to ${to.cluster.name} of ${columns[at + 1].name}`;
      const stream = draw('path', { d: path, fill: from.cluster.colour, class: 'stream', tabindex: 0, role: 'button', 'aria-label': said }, draw('title', {}, said));
      const act = () => this.choose([[columns[at].place, source], [columns[at + 1].place, target]]);
      stream.onclick = act;
      stream.onkeydown = (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        act();
      };
      svg.append(stream);
    }
    columns.forEach((column, at) => {
      const end = at === 0 ? 'start' : at === columns.length - 1 ? 'end' : 'middle';
      const head = at === 0 ? 0 : at === columns.length - 1 ? width : x(at) + bar / 2;
      svg.append(draw('text', { x: head, y: 13, 'text-anchor': end }, column.name));
      for (const { cluster, y, h } of place[at].values()) {
        svg.append(draw('rect', { x: x(at), y, width: bar, height: Math.max(h, 1), fill: cluster.colour, rx: 2 }, draw('title', {}, `${cluster.name}: ${cluster.objects} objects`)));
        if (h < 11) continue;
        const right = at === columns.length - 1;
        svg.append(draw('text', { x: right ? x(at) + bar + 4 : x(at) - 4, y: y + h / 2 + 4, 'text-anchor': right ? 'start' : 'end' }, cluster.text.slice(0, 12)));
      }
    });
    const said = make('p', 'quiet', 'A stream is as wide as the objects that two clusters share. Click one to select them everywhere.');
    return this.part('How clusters flow', svg, said);
  }

  // --- how alike ----------------------------------------------------------------------------------------------------

  likeness() {
    const { names, places, pair } = this.data, values = this.data[this.measure];
    const pick = make('select');
    pick.setAttribute('aria-label', 'Measure of likeness');
    pick.add(new Option('adjusted Rand index', 'ari', false, this.measure === 'ari'));
    pick.add(new Option('element-centric similarity', 'elements', false, this.measure === 'elements'));
    pick.onchange = () => {
      this.measure = pick.value;
      this.parts.lastChild.replaceWith(this.likeness());
    };
    const count = names.length, side = 20, left = 118, size = count * side;
    const svg = draw('svg', { viewBox: `0 0 ${left + size + 44} ${size + 8}`, role: 'img',
      'aria-label': `How alike each two of ${count} results are; the numbers are in the table's downloads` });
    if (count < 12) svg.style.maxWidth = `${1.4 * (left + size + 44)}px`;
    names.forEach((name, i) => {
      svg.append(draw('text', { x: left - 6, y: i * side + 14, 'text-anchor': 'end', style: 'font-size:10px' },
        name.length > 20 ? `${name.slice(0, 19)}…` : name, draw('title', {}, name)));
      values[i].forEach((value, j) => {
        const on = places[i] === pair[0] && places[j] === pair[1];
        const cell = draw('rect', { x: left + j * side, y: i * side, width: side - 1, height: side - 1, fill: colour(value), class: `cell${on ? ' on' : ''}` },
          draw('title', {}, `${name} and ${names[j]}: ${value.toFixed(3)}`));
        if (i !== j) cell.onclick = () => this.tell({ one: places[i], other: places[j] });
        svg.append(cell);
        if (count <= 12) svg.append(draw('text', { x: left + j * side + (side - 1) / 2, y: i * side + 13, 'text-anchor': 'middle',
          style: `font-size:7.5px;pointer-events:none;fill:${value > 0.55 ? '#111' : '#fff'}` }, value.toFixed(2)));
      });
    });
    const said = make('p', 'quiet', 'Dark: as by chance; yellow: the same partition. Click a field to hold the two against each other.');
    const line = make('div', 'picks');
    line.append(pick);
    return this.part('How alike all results are', line, svg, said);
  }

  // What is selected elsewhere is marked here.
  mark() {
    const { selected } = this;
    if (!this.rows) return;
    for (const [at, row] of this.rows) row.classList.toggle('on', Boolean(selected?.has(at)));
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector('.between');
  place.between ||= new Between(place);
  place.between.receive(data, (what) => setTriggerValue('pair', { ...what, nonce: Math.random() }));
}
