// Elements, and text in them.

export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export function button(className, text, label, act) {
  const element = make("button", className, text);
  element.type = "button";
  if (label) {
    element.setAttribute("aria-label", label);
    element.title = label;
  }
  element.onclick = act;
  return element;
}

// Sets text only when it differs: nothing is laid out again for a number that stayed.
export const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

// As many children as there are things, each made once and filled anew.
export function fill(parent, things, create, update) {
  things.forEach((thing, k) => {
    let child = parent.children[k];
    if (!child) {
      child = create();
      parent.append(child);
    }
    update(child, thing, k);
  });
  while (parent.children.length > things.length) parent.lastChild.remove();
}

// "C_ij" with its index set low.
export function withIndices(text) {
  return text.split(/(_(?:\{[^}]*\}|[A-Za-z0-9′]+))/).filter(Boolean).map((part) => (
    part[0] === "_" && part.length > 1 ? make("sub", "", part.slice(1).replace(/[{}]/g, "")) : part
  ));
}

export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Numbers of a class and a pixel's width from the styles, so that canvases write as large as the text around them.
export const px = (value) => Number.parseFloat(value) || 0;
