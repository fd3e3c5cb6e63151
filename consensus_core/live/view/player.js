// The player: a machine of five states. Which picture is wanted, and what is to be asked of the server, follows from
// the state and what happens, by the table below and nothing else.
//
//   empty      there is no run yet
//   jumping    the latest picture, as soon as it is here, until the run is over: a first visit
//   playing    one picture after another, or (speed 0) the latest that is here
//   resting    one picture stands
//   reaching   one picture is wanted that is not computed yet

const SLACK = 20; // milliseconds a picture may come before its time, so that the screen's own beat does no harm

export const SPEEDS = [[1, "1 / s"], [2, "2 / s"], [5, "5 / s"], [10, "10 / s"], [20, "20 / s"], [0, "as it comes"]];

// Facts at a moment: `shown`, the place on the screen; `last`, the last place there is; `over`, nothing more will come.
// What follows: `to` a state; `show` a place; `do` asks the server; `goal` a place that is still to be computed.
const rest = (show, ...commands) => ({ to: "resting", show, do: commands });
const fromStart = () => ({ to: "playing", show: 0, do: ["play"] });

const begin = (facts, { first, asleep, at }) => {
  if (asleep) return rest(undefined); // so much work that it waits to be begun by hand
  if (at !== undefined && at !== null) return { to: "reaching", goal: at, show: Math.min(at, Math.max(facts.last, 0)) };
  return first ? { to: "jumping" } : { to: "playing", show: 0 };
};
const stepOn = ({ shown, last, over, goal }) => {
  const next = Math.max(shown, goal ?? -1) + 1;
  if (next <= last) return rest(next);
  return over ? null : { to: "reaching", goal: next, show: last, do: ["step"] };
};
const scrub = (facts, { to }) => rest(to);
const stop = (change) => (facts, payload) => {
  const next = change(facts, payload);
  return next && { ...next, do: ["pause", ...(next.do || [])] };
};
const pause = ({ shown }) => rest(shown, "pause");
const atEnd = ({ shown, last }) => (shown >= last ? rest(last) : null);

export const TRANSITIONS = {
  empty: { begin },
  jumping: { begin, over: atEnd, pause, play: pause, step: stop(stepOn), scrub: stop(scrub), restart: fromStart },
  playing: { begin, over: atEnd, pause, play: pause, step: stop(stepOn), scrub: stop(scrub), restart: fromStart },
  resting: {
    begin,
    play: ({ shown, last, over }) => (over && shown >= last ? fromStart() : { to: "playing", do: ["play"] }),
    step: stepOn,
    scrub,
    restart: fromStart,
  },
  reaching: {
    begin,
    arrived: ({ goal }) => rest(goal),
    over: ({ goal, last }) => rest(Math.min(goal, last)),
    pause,
    play: () => ({ to: "playing", do: ["play"] }),
    step: stepOn,
    scrub: stop(scrub),
    restart: fromStart,
  },
};

export class Player {
  constructor() {
    this.state = "empty";
    this.speed = 10;
    this.goal = undefined;
    this.due = 0; // when the next picture is to be shown
  }

  get moving() { return this.state === "jumping" || this.state === "playing"; }
  get newest() { return this.state === "jumping" || (this.state === "playing" && this.speed === 0); }

  // What happens: the transition, or null where this changes nothing in this state.
  on(event, facts, payload = {}) {
    const next = TRANSITIONS[this.state][event]?.({ ...facts, goal: this.goal }, payload) || null;
    if (!next) return null;
    this.state = next.to;
    this.goal = next.goal;
    return { show: next.show, do: next.do || [] };
  }

  // The place to show at this time; null when it is not yet time, or nothing else is to be shown. `held`: the latest
  // place whose pictures are here.
  next(now, { shown, last }, held) {
    if (!this.moving || last < 0 || now < this.due) return null;
    const place = this.newest ? Math.max(held, shown) : Math.min(shown + 1, last);
    if (place === shown || place < 0) return null;
    // in time with the one before; what was late is not made up for
    if (!this.newest) this.due = Math.max(now - SLACK, (this.due || now) + 1000 / this.speed);
    return place;
  }

  hold(now) { this.due = now + (this.speed ? 1000 / this.speed : 0); }
}
