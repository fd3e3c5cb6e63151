// What comes from the server: a header, then packed arrays.

const TYPED = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u1: Uint8Array };

async function inflate(bytes) {
  const stream = new DecompressionStream("deflate"), writer = stream.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

function parse(data) {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const body = bytes.subarray(4 + length);
  return { header, part: ([from, size]) => body.slice(from, from + size) };
}

const unpacked = async (message, ref) => new TYPED[ref.k]((await inflate(message.part(ref.at))).buffer);
const plain = (message, ref) => new TYPED[ref.k](message.part(ref.at).buffer);

// [0, 1, 2, 5] -> "0-2,5"
function spans(numbers) {
  const parts = [];
  for (let a = 0; a < numbers.length; ) {
    let b = a;
    while (b + 1 < numbers.length && numbers[b + 1] === numbers[b] + 1) b++;
    parts.push(a === b ? `${numbers[a]}` : `${numbers[a]}-${numbers[b]}`);
    a = b + 1;
  }
  return parts.join(",");
}
