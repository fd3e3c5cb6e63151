// A picture's frame: title, meaning, what is under the pointer, the canvas, the legend.

const make = (tag, className = "", text = "") => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
};

// Sets text only when it differs: nothing is laid out again for a number that stayed.
const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

// "C_ij" with its index set low.
function formula(text) {
  const line = make("div");
  text.split(/(_(?:\{[^}]*\}|[A-Za-z0-9′]+))/).forEach((part) => {
    if (part[0] === "_" && part.length > 1) line.append(make("sub", "", part.slice(1).replace(/[{}]/g, "")));
    else line.append(part);
  });
  return line;
}

class Card {
  constructor(view, { title, letter = "", meaning = "", equation = "", kind = "", keys = "" }) {
    this.view = view;
    this.el = make("figure", `card ${kind}`);
    const head = make("figcaption");
    if (letter) {
      const symbol = make("span", "letter");
      symbol.append(...formula(letter).childNodes);
      head.append(symbol, " ");
    }
    head.append(make("span", "title", title));
    if (equation && kind !== "curve") head.append(make("span", "equation", equation));
    this.readout = make("span", "readout");
    head.append(this.readout);
    head.title = [meaning || title, equation].filter(Boolean).join(" ");
    this.frame = make("div", "frame");
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", `${letter} ${title}. ${keys}`.trim());
    this.canvas = make("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", title);
    this.frame.append(this.canvas);
    this.el.append(head, this.frame);
    this.ctx = this.canvas.getContext("2d");
    this.width = this.height = 0;
  }

  // Fits the canvas to its place; true when it changed (and is blank until painted in the same turn).
  fit() {
    // asking for a size makes the browser lay out the page: only when sizes may have changed
    if (this.width && this.sized === this.view.sizes) return false;
    this.sized = this.view.sizes;
    const width = Math.round(this.frame.clientWidth), height = Math.round(this.tall(width));
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    if (width === this.width && height === this.height && scale === this.scale) return false;
    Object.assign(this, { width, height, scale });
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.height = `${height}px`;
    return true;
  }

  begin() {
    this.fit();
    const { ctx } = this;
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    ctx.clearRect(0, 0, this.width, this.height);
    ctx.font = `11px ${this.view.look.font}`;
    ctx.textBaseline = "middle";
    return ctx;
  }

  tall(width) { return width; }
  alt(text) { if (text !== this._alt) { this._alt = text; this.canvas.setAttribute("aria-label", text); } }
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

// The colour scale under a picture, with a mark at the value pointed at.
class Legend {
  constructor(card) {
    this.el = make("div", "legend");
    this.low = make("span"); this.high = make("span");
    this.bar = make("div", "ramp"); this.mark = make("i");
    this.mark.hidden = true;
    this.bar.append(this.mark);
    this.el.append(this.low, this.bar, this.high);
    card.el.append(this.el);
  }

  show(scale, value, ramp, stretched) {
    if (ramp !== this.ramp) this.bar.style.background = gradient((this.ramp = ramp));
    const end = (x) => inWords(scale.log ? 10 ** x : x);
    say(this.low, end(scale.lo));
    say(this.high, end(scale.hi));
    const at = scale.log ? Math.log10(Math.max(value, 1e-300)) : value;
    const t = standing(at, scale, ramp !== "sequential", stretched);
    this.mark.hidden = Number.isNaN(t);
    this.mark.style.left = `${100 * t}%`;
  }
}
