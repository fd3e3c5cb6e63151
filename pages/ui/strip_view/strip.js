// One slider over the values of a dial, one over the iterations; every picture drawn from what has come already.

const bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
const shorts = text => new Int16Array(bytes(text).buffer);

function hex(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

function table(stops) {
  const ends = stops.map(hex);
  return Array.from({ length: 256 }, (_, code) => {
    const at = (code / 255) * (ends.length - 1), low = Math.min(Math.floor(at), ends.length - 2), share = at - low;
    return ends[low].map((part, i) => Math.round(part + share * (ends[low + 1][i] - part)));
  });
}

function paint(canvas, codes, size, colours) {
  const [rows, cols] = size;
  canvas.width = cols; canvas.height = rows;
  const image = new ImageData(cols, rows);
  for (let i = 0; i < codes.length; i++) {
    const [r, g, b] = colours[codes[i]];
    image.data.set([r, g, b, 255], 4 * i);
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
}

function scatter(canvas, places, labels, colours) {
  const width = 520, height = 400, edge = 14, ratio = 2;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const to = canvas.getContext('2d');
  to.scale(ratio, ratio);
  let tall = 1, wide = 1;
  for (let i = 0; i < places.length; i += 2) { wide = Math.max(wide, places[i]); tall = Math.max(tall, places[i + 1]); }
  const by = Math.min((width - 2 * edge) / wide, (height - 2 * edge) / tall), dot = labels.length > 1200 ? 1.8 : 3;
  const left = (width - by * wide) / 2, low = (height + by * tall) / 2;
  for (let i = 0; i < labels.length; i++) {
    to.fillStyle = colours[labels[i] % colours.length];
    to.beginPath();
    to.arc(left + by * places[2 * i], low - by * places[2 * i + 1], dot, 0, 7);
    to.fill();
  }
}

function made(root) {
  root.innerHTML = `
<div class="line"><label for="strip-dial"></label><input id="strip-dial" type="range" min="0" step="1"><output></output></div>
<p class="words" aria-live="polite"></p>
<div class="big"><figure class="of-map"><figcaption>objects, coloured by cluster</figcaption><canvas role="img"></canvas></figure>
<figure class="of-matrix"><figcaption></figcaption><canvas class="pixels" role="img"></canvas></figure></div>
<div class="line scrub"><label for="strip-way">on the way</label><input id="strip-way" type="range" min="0" max="100" value="100"><output>at the end</output></div>
<div class="many" role="group" aria-label="every value"></div><p class="small note"></p>`;
  const find = where => root.querySelector(where);
  return { dial: find('#strip-dial'), name: find('label'), value: find('output'), words: find('.words'),
    map: find('.of-map canvas'), matrix: find('.of-matrix canvas'), of: find('.of-matrix'), caption: find('.of-matrix figcaption'),
    scrub: find('.scrub'), way: find('#strip-way'), far: find('.scrub output'), many: find('.many'), note: find('.note') };
}

const REST = 120; // milliseconds a hand rests before anybody is told where

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.strip');
  const view = root.view ??= { parts: made(root), shown: 0, unpacked: new Map() };
  const { parts } = view, colours = table(data.scale), places = shorts(data.places);
  const same = view.title === data.title && view.count === data.values.length;
  if (!same) { view.title = data.title; view.count = data.values.length; view.unpacked.clear(); parts.dial.value = data.at; view.moved = false; }
  parts.dial.max = data.values.length - 1;
  if (!view.moved) parts.dial.value = data.at;
  parts.name.textContent = data.title;
  parts.caption.textContent = data.letter ? `${data.letter}: ${data.meaning}` : '';
  parts.note.textContent = data.note;

  const unpacked = at => {
    const result = data.results[at];
    if (!result) return null;
    const known = view.unpacked.get(at);
    if (known && known.raw === result.labels && known.first === result.frames[0]) return known;
    const found = { ...result, raw: result.labels, first: result.frames[0], labels: bytes(result.labels), frames: result.frames.map(bytes) };
    view.unpacked.set(at, found);
    return found;
  };
  const frame = result => result.frames[Math.round(parts.way.value / 100 * (result.frames.length - 1))];

  const tiles = () => {
    while (parts.many.children.length > data.values.length) parts.many.lastChild.remove();
    data.values.forEach((value, at) => {
      let tile = parts.many.children[at];
      if (!tile) {
        tile = document.createElement('button');
        tile.type = 'button';
        tile.innerHTML = '<canvas class="pixels" width="1" height="1"></canvas><span></span>';
        parts.many.append(tile);
      }
      tile.onclick = () => { view.moved = true; parts.dial.value = at; draw(); };
      tile.lastChild.textContent = value;
      tile.setAttribute('aria-label', `${data.title} ${value}`);
      const result = unpacked(at);
      tile.classList.toggle('wait', !result);
      if (result?.frames.length) paint(tile.firstChild, frame(result), result.size, colours);
    });
  };
  // what one looks at and is not there is computed next
  const wanted = (at, result) => {
    clearTimeout(view.resting);
    if (result || !view.moved || view.asked === at) return;
    view.resting = setTimeout(() => { view.asked = at; setTriggerValue('look', { at }); }, REST);
  };
  const draw = () => {
    const at = Number(parts.dial.value), result = unpacked(at);
    parts.value.textContent = data.values[at];
    parts.dial.setAttribute('aria-valuetext', data.values[at]);
    [...parts.many.children].forEach((tile, i) => tile.setAttribute('aria-pressed', String(i === at)));
    root.dataset.shown = data.values[at];
    root.dataset.there = String(data.results.filter(Boolean).length);
    parts.words.textContent = result ? result.error || result.words : 'being computed …';
    wanted(at, result);
    if (!result || result.error) return;
    scatter(parts.map, places, result.labels, data.colours);
    parts.map.setAttribute('aria-label', `Map of ${result.labels.length} objects: ${result.words}`);
    parts.of.hidden = parts.scrub.hidden = !result.frames.length;
    if (result.frames.length) {
      paint(parts.matrix, frame(result), result.size, colours);
      parts.matrix.setAttribute('aria-label', `${data.letter}, ${data.meaning}, with ${data.title} ${data.values[at]}`);
      parts.scrub.hidden = result.frames.length < 2;
    }
    root.dataset.drawn = String(Number(root.dataset.drawn || 0) + 1);
  };
  parts.dial.oninput = () => { view.moved = true; draw(); };
  parts.way.oninput = () => {
    parts.far.textContent = parts.way.value === '100' ? 'at the end' : `${parts.way.value}% of the run`;
    tiles(); draw();
  };
  tiles();
  draw();
}
