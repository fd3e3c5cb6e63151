// The table of a comparison. Rows keep their elements, so that nothing blinks and no click is lost while results come.
// Texts are put in as text, never as HTML.

function make(tag, className = '', text = '') {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// What is not there comes last, whichever way; among equals the order stays.
function sorted(rows, sort, columns) {
  const at = columns.findIndex((column) => column.key === sort?.key);
  if (at < 0) return rows;
  const turn = sort.falling ? -1 : 1;
  return rows.map((row, i) => [row, i]).sort(([a, i], [b, j]) => {
    const [x, y] = [a.keys[at], b.keys[at]];
    if (x === null || y === null) return (x === null) - (y === null) || i - j;
    const order = typeof x === 'string' ? x.localeCompare(y) : x - y;
    return turn * order || i - j;
  }).map(([row]) => row);
}

class Board {
  constructor(place) {
    this.place = place;
    this.lines = new Map();
    this.sort = null;
    this.table = make('table');
    this.head = this.table.createTHead().insertRow();
    this.body = this.table.createTBody();
    place.replaceChildren(this.table);
  }

  receive(data, act) {
    this.act = act;
    this.place.setAttribute('aria-label', data.label);
    this.data = data;
    const shape = JSON.stringify([data.columns, data.choosing, data.leaving]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.header();
      this.body.replaceChildren();
      this.lines.clear();
    }
    this.paint();
  }

  header() {
    const { columns, choosing, leaving } = this.data;
    this.ends = columns.map((column) => {
      const cell = make('th', column.kind === 'text' ? 'text' : 'number');
      cell.scope = 'col';
      cell.title = column.meaning;
      const turn = make('button', '', column.title);
      turn.type = 'button';
      turn.onclick = () => this.turn(column);
      cell.append(turn);
      return cell;
    });
    this.ends[0].className = 'name';
    const more = [];
    for (const [wanted, title] of [[choosing, 'side by side'], [leaving, '']]) {
      if (!wanted) continue;
      const cell = make(title ? 'th' : 'td');
      if (title) {
        cell.scope = 'col';
        cell.append(make('span', 'plain', title));
      }
      more.push(cell);
    }
    const [name, ...rest] = this.ends;
    this.head.replaceChildren(name, ...more.slice(0, choosing ? 1 : 0), ...rest, ...more.slice(choosing ? 1 : 0));
  }

  turn(column) {
    const better = column.better === 'more', now = this.sort?.key === column.key ? this.sort : null;
    this.sort = { key: column.key, falling: now ? !now.falling : better };
    this.paint();
  }

  paint() {
    const { columns, rows } = this.data, known = new Set(rows.map((row) => row.id));
    this.ends.forEach((cell, i) => {
      const mine = this.sort?.key === columns[i].key;
      if (mine) cell.setAttribute('aria-sort', this.sort.falling ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
    for (const [id, line] of this.lines) if (!known.has(id)) {
      line.el.remove();
      this.lines.delete(id);
    }
    const order = sorted(rows, this.sort, columns).map((row) => this.line(row).el);
    if (order.some((el, i) => this.body.children[i] !== el)) {
      const focused = this.place.getRootNode().activeElement;
      this.body.append(...order);
      if (focused && this.body.contains(focused)) focused.focus({ preventScroll: true });
    }
  }

  line(row) {
    if (!this.lines.has(row.id)) this.lines.set(row.id, this.newLine(row));
    const line = this.lines.get(row.id), { columns } = this.data;
    line.el.dataset.state = row.state || '';
    line.el.classList.toggle('wrong', Boolean(row.wrong));
    line.el.classList.toggle('advised', Boolean(row.advised));
    line.name.title = row.title || '';
    line.name.classList.toggle('pulse', row.state === 'running');
    say(line.label, row.cells[0]);
    line.mark.hidden = !row.advised;
    row.cells.slice(1).forEach((text, i) => {
      const cell = line.cells[i], bold = row.bold[i + 1];
      const waiting = (row.state === 'running' || row.state === 'waiting') && text === '' && columns[i + 1].kind === 'text';
      say(cell, waiting ? `${row.state} …` : text);
      cell.style.fontWeight = bold ? '700' : '';
    });
    if (line.side) {
      line.side.checked = Boolean(row.side);
      line.side.disabled = row.state === 'refused';
      line.side.setAttribute('aria-label', `${row.cells[0]} side by side with others`);
    }
    if (line.out) line.out.setAttribute('aria-label', `Leave out ${row.cells[0]}`);
    if (line.watch) {
      line.watch.href = row.href;
      line.watch.setAttribute('aria-label', `Watch ${row.cells[0]}`);
    }
    return line;
  }

  newLine(row) {
    const { columns, choosing, leaving } = this.data, el = make('tr'), name = make('th');
    const line = { el, name, label: make('span'), mark: make('span', 'mark', 'advised') };
    name.scope = 'row';
    name.append(line.label, line.mark);
    line.cells = columns.slice(1).map((column) => make('td', column.kind === 'text' ? 'text' : 'number'));
    el.append(name);
    if (choosing) {
      const cell = make('td');
      line.side = make('input');
      line.side.type = 'checkbox';
      line.side.onchange = () => this.act({ what: 'side', id: row.id, on: line.side.checked });
      cell.append(line.side);
      el.append(cell);
    }
    el.append(...line.cells);
    if (leaving) {
      const cell = make('td'), acts = make('span', 'acts');
      line.watch = make('a', '', 'Watch');
      line.watch.target = '_self';
      line.out = make('button', '', '✕');
      line.out.type = 'button';
      line.out.onclick = () => this.act({ what: 'out', id: row.id });
      acts.append(line.watch, line.out);
      cell.append(acts);
      el.append(cell);
    }
    return line;
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector('.board');
  place.board ||= new Board(place);
  place.board.receive(data, (what) => setTriggerValue('act', { ...what, nonce: Math.random() }));
}
