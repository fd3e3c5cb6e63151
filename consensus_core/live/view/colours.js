// Colours that keep their order in grey and for colour-blind eyes; clusters stand out on white and on black alike.

// PALETTE comes from the core, once for pages, pictures and notebooks
const { stops: STOPS, clusters: CLUSTERS } = PALETTE;
const NO_LABEL = "#9aa0a655";

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const clusterColour = (label) => (label < 0 ? NO_LABEL : CLUSTERS[label % CLUSTERS.length]);
const packedColour = ([r, g, b], a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;
// The same hue as text: far enough from the paper to be read.
const INKS = [0, 1].map((dark) => CLUSTERS.map((hex) => {
  const mixed = rgb(hex).map((value) => Math.round(dark ? value + (255 - value) * 0.42 : value * 0.78));
  return `rgb(${mixed.join(",")})`;
}));
const clusterInk = (label, dark) => (label < 0 ? "inherit" : INKS[dark ? 1 : 0][label % CLUSTERS.length]);
const CLUSTER_PIXELS = CLUSTERS.map((hex) => packedColour(rgb(hex)));
const clusterPixel = (label) => (label < 0 ? 0 : CLUSTER_PIXELS[label % CLUSTERS.length]);

function colourAt(stops, t) {
  const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2);
  const a = rgb(stops[k]), b = rgb(stops[k + 1]);
  return a.map((value, at) => Math.round(value + (b[at] - value) * (x - k)));
}

const RAMPS = Object.fromEntries(
  Object.entries(STOPS).map(([name, stops]) => [name, Array.from({ length: 1024 }, (_, k) => packedColour(colourAt(stops, k / 1023)))]),
);
const gradient = (name) => `linear-gradient(90deg, ${STOPS[name].join(", ")})`;

// Where a value stands on a scale, 0 … 1. Stretched, small values get most of the colours: √ from zero or from the middle.
function standing(value, scale, diverging, stretched) {
  const t = scale.hi > scale.lo ? Math.min(Math.max((value - scale.lo) / (scale.hi - scale.lo), 0), 1) : 0;
  if (!stretched) return t;
  return diverging ? 0.5 + 0.5 * Math.sign(t - 0.5) * Math.sqrt(Math.abs(2 * t - 1)) : Math.sqrt(t);
}

// The 256 colours of a picture whose codes run from its own ends, on the scale all pictures of the quantity share.
function lookup(ramp, frame, scale, stretched) {
  const table = new Uint32Array(256), diverging = ramp !== "sequential";
  for (let code = 0; code < 255; code++) {
    const value = frame.lo + (code / 254) * (frame.hi - frame.lo);
    table[code] = RAMPS[ramp][Math.round(standing(value, scale, diverging, stretched) * 1023)];
  }
  return table;
}

// A sentence of the core, its 4.1e+03 as people write it.
const readable = (text) => (text || "").replace(/(?<![\w.])[-−]?\d+(\.\d+)?e[-+]?\d+/g, (x) => inWords(Number(x.replace("−", "-"))));

// Three significant digits, thousands apart, powers of ten as people write them.
function inWords(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [digits, power] = value.toExponential(2).split("e");
    const raised = String(Number(power)).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
    const front = String(Number(digits)).replace("-", "−");
    return front === "1" ? `10${raised}` : `${front}·10${raised}`;
  }
  const digits = size >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
  return digits.replace("-", "−");
}
