// Numbers over the iterations: their range, their stretches. No drawing here.

// The range of courses on an axis, logarithmic or not; `also`: numbers that shall be on it.
export function rangeOf(courses, { log = false, floor = null, also = [] } = {}) {
  let low = Infinity, high = -Infinity, length = 1;
  const take = (value) => {
    if (value === null || value === undefined || !Number.isFinite(value) || (log && value <= 0)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const values of courses) {
    length = Math.max(length, values.length);
    values.forEach(take);
  }
  also.forEach(take);
  if (floor !== null && low > floor) low = floor;
  if (low > high) return { low: log ? 0.1 : 0, high: 1, length };
  if (low === high) {
    const room = Math.abs(low) * 0.05 || 0.5;
    return log ? { low: low / 1.1, high: high * 1.1, length } : { low: low - room, high: high + room, length };
  }
  return { low, high, length };
}

// [0, 0, 1, 1, 1] -> [[0, 1], [2, 4]]: where a number that says which values can be compared changes, another stretch
// begins. One stretch where there is no such number.
export function stretchesOf(marks, length = marks.length) {
  const found = [];
  let from = 0;
  for (let k = 1; k <= length; k++) {
    if (k < length && marks[k] === marks[k - 1]) continue;
    found.push([from, k - 1]);
    from = k;
  }
  return found;
}

// The place on a course under a point of its width.
export function placeUnder(x, { left, w }, length) {
  return Math.round(Math.min(Math.max((x - left) / w, 0), 1) * Math.max(length - 1, 0));
}

// One place for every course of several runs: a run that ended earlier rests at its last value.
export const at = (values, place) => values[Math.min(place, values.length - 1)];
