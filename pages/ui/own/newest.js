// What was made last counts: a page that was drawn meanwhile knows what was made before it, and would take it back. One
// that has still not heard of it some seconds later (its server was started anew) is told once more.

const LATE = 3000; // milliseconds
let last = null; // what was made in this tab: { made, number, sent }

function newest(data, made, send) {
  if (!last || last.number <= data.heard) return made;
  if (Date.now() - last.sent > LATE) {
    last.sent = Date.now();
    const { made: again, number } = last;
    setTimeout(() => send({ made: again, number }));
  }
  return last.made;
}

function said(made) {
  const now = Date.now();
  last = { made, number: Math.max(now, (last?.number ?? 0) + 1), sent: now };
  return { made, number: last.number };
}
