// Points in a square: a tap paints one, drawing paints many, a tap on a point takes it away. The keyboard moves a brush.

const APART = 0.035, NEAR = 0.025; // shares of the side: between two that are drawn, and what a tap on a point is
const SPREAD = 0.02;

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".own");
  const tell = (made) => setTriggerValue("points", made);
  let canvas = place.querySelector("canvas"), points = newest(data, data.points, tell).map((point) => [...point]);
  if (!canvas) {
    canvas = document.createElement("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    const tools = document.createElement("div");
    tools.className = "tools";
    for (const name of ["Undo", "Clear"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      tools.append(button);
    }
    place.append(canvas, tools, document.createElement("p"));
  }
  const [undo, clear] = place.querySelectorAll(".tools button"), note = place.querySelector("p");
  const brush = (canvas.brush ||= [0.5, 0.5]);
  const send = () => { paint(); tell(said(points)); };

  function paint() {
    const side = canvas.clientWidth || 300, dots = window.devicePixelRatio || 1, high = Math.round(side * 0.8);
    canvas.width = side * dots;
    canvas.height = high * dots;
    canvas.style.height = `${high}px`;
    const ctx = canvas.getContext("2d"), ink = getComputedStyle(canvas).color;
    ctx.scale(dots, dots);
    ctx.fillStyle = ink;
    for (const [x, y] of points) {
      ctx.beginPath();
      ctx.arc(x * side, (1 - y) * high, 3.5, 0, 7);
      ctx.fill();
    }
    if (canvas.matches(":focus-visible")) {
      ctx.strokeStyle = ink;
      ctx.strokeRect(brush[0] * side - 7, (1 - brush[1]) * high - 7, 14, 14);
    }
    canvas.setAttribute("aria-label", `${points.length} points. Arrow keys move a brush, Enter paints a point.`);
    note.textContent = `${points.length} of at most ${data.most} points`;
    undo.disabled = clear.disabled = !points.length;
  }
  const at = (event) => {
    const box = canvas.getBoundingClientRect(), held = (x) => Math.min(Math.max(x, 0.01), 0.99);
    return [held((event.clientX - box.left) / box.width), held(1 - (event.clientY - box.top) / box.height)];
  };
  const near = ([x, y], within) => points.findIndex(([a, b]) => Math.hypot(a - x, b - y) < within);
  const add = (point) => {
    if (points.length < data.most) points.push(point.map((part) => Math.round(part * 1e4) / 1e4));
  };
  let drawing = null;
  canvas.onpointerdown = (event) => {
    drawing = { from: at(event), last: at(event), many: false };
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    if (!drawing) return;
    const now = at(event);
    if (Math.hypot(now[0] - drawing.last[0], now[1] - drawing.last[1]) < APART) return;
    drawing.many = true;
    drawing.last = now;
    for (let k = 0; k < 2; k++) {
      add(now.map((part) => Math.min(Math.max(part + (Math.random() - 0.5) * 2 * SPREAD, 0.01), 0.99)));
    }
    paint();
  };
  canvas.onpointerup = () => {
    if (!drawing) return;
    const known = near(drawing.from, NEAR);
    if (!drawing.many && known >= 0) points.splice(known, 1);
    else if (!drawing.many) add(drawing.from);
    drawing = null;
    send();
  };
  canvas.onkeydown = (event) => {
    const by = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (by) by.forEach((part, k) => { brush[k] = Math.min(Math.max(brush[k] + part * 0.03, 0.02), 0.98); });
    else if (event.key === "Enter" || event.key === " ") {
      const known = near(brush, NEAR);
      if (known >= 0) points.splice(known, 1);
      else add(brush);
      send();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    paint();
  };
  canvas.onfocus = canvas.onblur = paint;
  undo.onclick = () => { points.pop(); send(); };
  clear.onclick = () => { points = []; send(); };
  paint();
}
