// Where numbers stand beside a picture.

// Round numbers in [low, high], about as many as asked for.
export function niceTicks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough * (1 - 1e-9)) || power;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k === 0 ? 0 : k * step);
  return ticks;
}

// Powers of ten between 10^a and 10^b; the ends where there are none to speak of.
export function logTicks(a, b, count = 4) {
  const ticks = [], every = Math.max(1, Math.ceil((b - a) / count));
  for (let k = Math.ceil(a - 1e-9); k <= b + 1e-9; k += every) ticks.push(10 ** k);
  return ticks.length > 1 ? ticks : [10 ** a, 10 ** b];
}
