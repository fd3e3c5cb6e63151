// A table of a file's first rows. Names and cells are put in as text, never as HTML.

function header(column, titles, choose) {
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
  for (const [role, title] of Object.entries(titles)) roles.add(new Option(title, role, false, role === column.role));
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
  const choose = (name, role) => setTriggerValue('role', { name, role });
  head.append(...data.columns.map((column) => header(column, data.titles, choose)));
  const rows = Math.max(0, ...data.columns.map((column) => column.cells.length));
  table.createTBody().append(...Array.from({ length: rows }, (_, i) => row(data.columns, i)));
  place.replaceChildren(table);
  place.scrollLeft = scrolled;
  const doubted = place.querySelector('th.doubted');
  if (first && doubted) place.scrollLeft = doubted.offsetLeft + doubted.offsetWidth - place.clientWidth;
  // whoever chose with the keyboard goes on from there
  if (focused) [...place.querySelectorAll('select')].find((one) => one.ariaLabel === focused)?.focus();
}
