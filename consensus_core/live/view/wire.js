// What comes from the server: a header in JSON, then packed arrays.

export const TYPED = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, u1: Uint8Array };
const TOP = 254, TAIL = 27; // the greatest code; how many lie on each side outside of the inner range

export const NOTHING = 255;

export async function inflate(bytes) {
  const stream = new DecompressionStream("deflate"), writer = stream.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

export function parse(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const body = bytes.subarray(4 + length);
  return { header, part: ([from, size]) => body.slice(from, from + size) };
}

export const unpacked = async (message, ref) => new TYPED[ref.k]((await inflate(message.part(ref.at))).buffer);

// [0, 1, 2, 5] -> "0-2,5"
export function spans(numbers) {
  const parts = [];
  for (let a = 0; a < numbers.length; ) {
    let b = a;
    while (b + 1 < numbers.length && numbers[b + 1] === numbers[b] + 1) b++;
    parts.push(a === b ? `${numbers[a]}` : `${numbers[a]}-${numbers[b]}`);
    a = b + 1;
  }
  return parts.join(",");
}

// The values the codes 0 … 254 of a picture stand for. Most stand evenly in the inner range, where a few entries lie
// far outside of it; logarithms where the picture is drawn by these.
export function levels(frame) {
  if (frame.levels) return frame.levels;
  const { lo, hi, inner = [lo, hi] } = frame;
  const low = lo < inner[0] ? TAIL : 0, high = hi > inner[1] ? TOP - TAIL : TOP;
  const between = (code, a, b, from, to) => (b > a ? from + ((code - a) / (b - a)) * (to - from) : from);
  frame.levels = Float64Array.from({ length: TOP + 1 }, (_, code) => {
    if (code < low) return between(code, 0, low, lo, inner[0]);
    if (code > high) return between(code, high, TOP, inner[1], hi);
    return between(code, low, high, inner[0], inner[1]);
  });
  return frame.levels;
}

// The value of a code, as it is written.
export function valueOf(frame, code) {
  if (code === NOTHING) return NaN;
  const value = levels(frame)[code];
  return frame.log ? 10 ** value : value;
}
