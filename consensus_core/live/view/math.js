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

// What is mathematics in a text of MathML, and nothing else; null where there is nothing.
export function mathOf(text) {
  const read = new DOMParser().parseFromString(`<math>${text}</math>`, "text/html").body.firstElementChild;
  if (read?.namespaceURI !== NAMESPACE || !read.childNodes.length) return null;
  const math = copied(read);
  math.setAttribute("display", "block");
  return math;
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

// A line of a told why, set as mathematics where the browser can, else as pieces. `lead` is what stands before it
// ("W ="); `how` is what becomes of a term: { terms, act(k), light(k, on), called(axis, thing) }.
export function formula(lead, mathml, pieces, how) {
  const line = make("div", "line"), math = mathml && canMath() ? mathOf(mathml) : null;
  if (lead) {
    const start = make("span", "lead");
    start.append(...withIndices(lead));
    line.append(start);
  }
  if (!math) {
    const body = make("span");
    body.append(...nodes(pieces, how));
    line.append(body);
    return line;
  }
  math.setAttribute("role", "group"); // what stands in it can be reached: it is more than a picture of a formula
  math.setAttribute("aria-label", (pieces || []).map((piece) => piece.t ?? piece).join(""));
  for (const element of math.querySelectorAll("[data-term]")) {
    const k = Number(element.dataset.term);
    if (how.terms[k]) opening(element, k, how);
  }
  line.append(math);
  return line;
}

// Pieces of a sentence or a formula: texts, terms, and things by their names.
export function nodes(pieces, how) {
  return (pieces || []).flatMap((piece) => {
    if (typeof piece === "string") return withIndices(piece);
    if ("t" in piece) {
      const term = how.terms[piece.term], node = make(term && leads(term) ? "button" : "span", "");
      node.append(...withIndices(piece.t));
      if (term) opening(node, piece.term, how);
      return [node];
    }
    const [[axis, thing]] = Object.entries(piece);
    return [make("b", "thing", how.called(axis, thing))];
  });
}

// Whether there is anything to open: its own why, or a word on where the trail ends.
export const leads = (term) => Boolean(term.to || term.end?.some((piece) => piece !== "") || term.meaning);

// An element that opens a term by pointer or keyboard, and lights up wherever else the term stands.
function opening(element, k, { terms, act, light }) {
  const term = terms[k];
  element.classList.add("term", `t${k % 6}`);
  if (term.when === "before") element.classList.add("before");
  element.dataset.term = k;
  element.onpointerenter = element.onfocus = () => light(k, element);
  element.onpointerleave = element.onblur = () => light(k, null);
  if (!leads(term)) return;
  if (element.localName === "button") element.type = "button";
  else element.setAttribute("role", "button");
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
  [term.symbol, term.meaning].filter(Boolean).join(": "),
  term.said && `${term.said}${term.when === "before" ? " before this step" : ""}`,
].filter(Boolean).join(", ");
