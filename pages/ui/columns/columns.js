// A table of a file's first rows. Names and cells are put in as text, never as HTML.

const CHOSEN = new WeakMap(); // of a table: column -> role and number of the choice, as long as the page has not heard it

function header(column, titles, chosen, choose) {
  const cell = document.createElement('th');
  cell.scope = 'col';
  cell.title = column.why;
  cell.classList.toggle('doubted', column.doubted);
  cell.dataset.role = column.role;
  const name = document.createElement('span');
  name.textContent = column.shown;
  const roles = document.createElement('select');
  roles.setAttribute('aria-label', `role of column ${column.name}`);
  roles.dataset.role = column.role;
  if (!(column.role in titles)) roles.add(new Option('not known yet', '', true, true));
  for (const [role, title] of Object.entries(titles)) roles.add(new Option(title, role, false, role === chosen));
  roles.onchange = () => choose(column.name, roles.value);
  cell.append(name, roles);
  return cell;
}

function row(columns, i) {
  const line = document.createElement('tr');
  for (const column of columns) {
    const cell = document.createElement('td');
    const text = column.cells[i] ?? '';
    cell.textContent = text === '' ? '–' : text;
    cell.title = text;
    cell.dataset.role = column.role;
    cell.classList.toggle('nothing', text === '');
    line.append(cell);
  }
  return line;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector('.columns');
  const focused = place.getRootNode().activeElement?.getAttribute?.('aria-label');
  const scrolled = place.scrollLeft, first = !place.firstElementChild;
  place.setAttribute('aria-label', data.label);
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  // Who chooses twice while the page is at work would have the first choice overtaken by the second: all are said
  // again until they are seen to stand.
  const chosen = CHOSEN.get(place) ?? new Map();
  CHOSEN.set(place, chosen);
  for (const [name, { number }] of chosen) if (number <= data.heard) chosen.delete(name);
  const choose = (name, role) => {
    chosen.set(name, { role, number: Date.now() });
    setTriggerValue('roles', Object.fromEntries(chosen));
  };
  head.append(
    ...data.columns.map((column) => header(column, data.titles, chosen.get(column.name)?.role ?? column.role, choose)),
  );
  const rows = Math.max(0, ...data.columns.map((column) => column.cells.length));
  table.createTBody().append(...Array.from({ length: rows }, (_, i) => row(data.columns, i)));
  place.replaceChildren(table);
  place.scrollLeft = scrolled;
  const doubted = place.querySelector('th.doubted');
  if (first && doubted) place.scrollLeft = doubted.offsetLeft + doubted.offsetWidth - place.clientWidth;
  // whoever chose with the keyboard goes on from there
  if (focused) [...place.querySelectorAll('select')].find((one) => one.ariaLabel === focused)?.focus();
}
