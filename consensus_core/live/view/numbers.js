// How a number is written for people: the twin of consensus_core/numbers.py, held to the same table of cases.

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const LARGE = 1e6, SMALL = 1e-3; // from here on, and below here, in powers of ten

// Three significant digits, but every digit before the point: 0.0123, 4.5, 1,234, 4.1·10⁸, −2.3·10⁻⁶.
export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "", size = Math.abs(value);
  const leading = Number(size.toExponential().split("e")[1]);
  if (leading >= -4 && leading <= 6) {
    const rounded = size.toFixed(Math.max(digits - 1 - leading, 0));
    if (Number(rounded) >= SMALL && Number(rounded) < LARGE) {
      const [whole, parts = ""] = rounded.split(".");
      const kept = parts.replace(/0+$/, "");
      return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (kept && `.${kept}`);
    }
  }
  const [digitsOf, power] = size.toExponential(digits - 1).split("e");
  const ten = `10${[...String(Number(power))].map((c) => RAISED[c]).join("")}`;
  const front = digitsOf.includes(".") ? digitsOf.replace(/\.?0+$/, "") : digitsOf;
  return sign + (front === "1" ? ten : `${front}·${ten}`);
}

// "1 object", "1,200 objects"
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

// Every digit of a whole number, thousands apart.
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
