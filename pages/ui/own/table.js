// A small table of base labels: a tap gives a cell its next label, after the last one none. What is made is a whole
// table, sent as one value.

const make = (name, text = "") => {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".own");
  const tell = (made) => setTriggerValue("table", made);
  const table = newest(data, data.table, tell).map((row) => [...row]);
  const focused = place.getRootNode().activeElement?.getAttribute?.("aria-label");
  const send = () => tell(said(table));
  const next = (label) => (label + 1) % (data.labels + 1);
  const grid = document.createElement("table"), head = grid.createTHead().insertRow();
  head.append(make("th"), ...table[0].map((_, t) => {
    const cell = make("th", `C${t + 1}`);
    cell.scope = "col";
    return cell;
  }));
  const body = grid.createTBody();
  table.forEach((row, i) => {
    const line = body.insertRow(), name = make("th", `x${i + 1}`);
    name.scope = "row";
    line.append(name);
    row.forEach((label, t) => {
      const button = make("button", label ? String(label) : "–");
      button.type = "button";
      button.className = label ? `l${label}` : "none";
      button.setAttribute("aria-label", `x${i + 1} in C${t + 1}: ${label || "no label"}. Change it.`);
      button.dataset.at = `${i}.${t}`;
      button.onclick = () => {
        table[i][t] = next(label);
        send();
      };
      button.onkeydown = (event) => {
        if (/^\d$/.test(event.key) && Number(event.key) <= data.labels) table[i][t] = Number(event.key);
        else if (event.key === "Delete" || event.key === "Backspace") table[i][t] = 0;
        else {
          const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
          if (!by) return;
          event.preventDefault();
          event.stopPropagation();
          place.querySelector(`[data-at="${i + by[0]}.${t + by[1]}"]`)?.focus();
          return;
        }
        event.preventDefault();
        send();
      };
      line.insertCell().append(button);
    });
  });
  const tools = make("div");
  tools.className = "tools";
  const tool = (text, may, act) => {
    const button = make("button", text);
    button.type = "button";
    button.disabled = !may;
    button.onclick = () => { act(); send(); };
    tools.append(button);
  };
  tool("+ object", table.length < data.objects, () => table.push(table.at(-1).slice()));
  tool("− object", table.length > 2, () => table.pop());
  tool("+ column", table[0].length < data.columns, () => table.forEach((row) => row.push(row.at(-1))));
  tool("− column", table[0].length > 1, () => table.forEach((row) => row.pop()));
  const at = place.querySelector(":focus")?.dataset?.at ?? place.getRootNode().activeElement?.dataset?.at;
  place.replaceChildren(grid, tools);
  if (at) place.querySelector(`[data-at="${at}"]`)?.focus();
  else if (focused) [...tools.children].find((one) => one.textContent === focused)?.focus();
}
