// Equations on the screen: MathML of the server where the browser can set it, else the pieces of a formula. Terms are
// coloured, can be pointed at and opened.

import { make, withIndices } from "./dom.js";

const NAMESPACE = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set([
  "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mover",
  "munder", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom", "mstyle", "menclose", "mmultiscripts",
  "mprescripts", "semantics",
]);
const ATTRIBUTES = new Set([
  "data-term", "display", "stretchy", "mathvariant", "form", "fence", "separator", "lspace", "rspace", "width",
  "height", "depth", "accent", "columnalign", "displaystyle", "scriptlevel", "linethickness", "movablelimits",
  "largeop", "minsize", "maxsize", "symmetric",
]);

export const canMath = () => typeof MathMLElement !== "undefined";

// What is in a text of MathML, and nothing that is not mathematics; null where there is none.
export function mathOf(text) {
  const read = new DOMParser().parseFromString(text, "text/html").body.firstElementChild;
  return read?.namespaceURI === NAMESPACE ? copied(read) : null;
}

function copied(node) {
  const element = document.createElementNS(NAMESPACE, node.localName);
  for (const { name, value } of node.attributes) if (ATTRIBUTES.has(name)) element.setAttribute(name, value);
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) element.append(child.data);
    else if (child.namespaceURI === NAMESPACE && ELEMENTS.has(child.localName)) element.append(copied(child));
  }
  return element;
}

// A formula of a told why, `mathml` or `pieces`, with its terms made to be opened: `terms` as told, `act(k)`.
export function formula(mathml, pieces, terms, act, called) {
  const line = make("div", "line");
  const math = mathml && canMath() ? mathOf(mathml) : null;
  if (!math) {
    line.append(...nodes(pieces, terms, act, called));
    return line;
  }
  for (const element of math.querySelectorAll("[data-term]")) {
    const k = Number(element.dataset.term);
    if (terms[k]) opening(element, terms[k], k, act);
  }
  line.append(math);
  return line;
}

// Pieces of a sentence or a formula: texts, terms, and things by their names.
export function nodes(pieces, terms, act, called) {
  return (pieces || []).flatMap((piece) => {
    if (typeof piece === "string") return withIndices(piece);
    if ("t" in piece) {
      const term = terms[piece.term], node = make(term && act ? "button" : "span", "");
      node.append(...withIndices(piece.t));
      if (term && act) {
        node.type = "button";
        opening(node, term, piece.term, act);
      }
      return [node];
    }
    const [[axis, thing]] = Object.entries(piece);
    return [make("b", "thing", called(axis === "object" ? "object" : axis, thing))];
  });
}

// An element that opens a term by pointer or keyboard.
function opening(element, term, k, act) {
  element.classList.add("term", `t${k % 6}`);
  if (term.when === "before") element.classList.add("before");
  element.dataset.term = k;
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-label", labelOf(term));
  element.onclick = (event) => { event.stopPropagation(); act(k); };
  element.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    act(k);
  };
}

export const labelOf = (term) => [
  `${term.symbol}: ${term.meaning}`, term.said && `${term.said}${term.when === "before" ? " before this step" : ""}`,
].filter(Boolean).join(", ");
