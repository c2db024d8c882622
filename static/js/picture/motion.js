// @ts-check
/**
 * The animations of a movement from the beginning of a step to its end: the timers of a slot are lifted,
 * travel, and settle. The picture is always drawn in the state after the step, in which the animations end. The
 * animations depend only on the state and the step, not on earlier animations that were interrupted.
 */

/** @typedef {{x: number, y: number}} Point a point in units of the picture */

/** Duration of the movement for a step with cascades, in milliseconds. */
export const CASCADE_MS = 1400;
/** Duration of the movement for a step without cascades, in milliseconds. */
export const MOVE_MS = 600;
/** Time at which the first timer starts to travel, as a fraction of the duration of the movement. */
const LIFTED = 0.2;
/** Time at which the last timer arrives and starts to settle, as a fraction of the duration of the movement. */
const SETTLING = 0.85;
/** Delay between the starts of the first and the last timer, as a fraction of the time for travelling. */
const STAGGER = 0.35;
/** Time for travelling, as a fraction of the duration. */
const TRAVEL = SETTLING - LIFTED;
/** Time in which an element appears or vanishes, as a fraction of the duration. */
const FADE = 0.06;
/** Size of a lifted timer, relative to its size at rest. */
const LIFT = 1.35;
/** Number of lines by which a curve is approximated. */
const SAMPLES = 8;
/** Curvature of the path of a cascade, as a fraction of its length. */
const BEND = 0.18;

export class Motion {
  /** @type {Animation[]} */
  #running = [];
  /** @type {(() => void)[]} */
  #after = [];

  /** Starts an animation. @param {Element} element @param {Keyframe[]} frames @param {number} ms */
  play(element, frames, ms) {
    this.#running.push(element.animate(frames, { duration: ms, fill: "backwards" }));
  }

  /** Calls a function when all animations have ended or are stopped. @param {() => void} done */
  then(done) { this.#after.push(done); }

  /** Waits, without blocking, until the animations that were started have ended, and then calls stop. */
  begin() {
    const running = this.#running;
    Promise.all(running.map((a) => a.finished)).then(() => { if (this.#running === running) this.stop(); }, () => {}); // rejected: stopped
  }

  /** Ends all animations, so that the end of the movement is shown. */
  stop() {
    const [running, after] = [this.#running, this.#after];
    [this.#running, this.#after] = [[], []];
    for (const animation of running) animation.cancel();
    for (const done of after) done();
  }
}

/** Returns the nearest coordinate that is inside the picture. @param {number} v */
function inside(v) { return Math.min(396, Math.max(4, v)); }

/**
 * Returns the control point of a curve between two points. The curve does not leave the picture.
 * @param {Point} from @param {Point} to @returns {Point}
 */
export function bendOf(from, to) {
  return { x: inside((from.x + to.x) / 2 - (to.y - from.y) * BEND), y: inside((from.y + to.y) / 2 + (to.x - from.x) * BEND) };
}

/**
 * Returns a point of a path.
 * @param {Point[]} way the path, two points or more @param {number} share position on the path, 0 to 1
 * @param {boolean} curved
 * @returns {Point}
 */
function along(way, share, curved) {
  const legs = way.length - 1;
  const leg = Math.min(legs - 1, Math.floor(share * legs));
  const u = share * legs - leg;
  const [a, b] = [way[leg], way[leg + 1]];
  const c = curved ? bendOf(a, b) : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const mix = (/** @type {number} */ p, /** @type {number} */ q, /** @type {number} */ r) => (1 - u) * (1 - u) * p + 2 * u * (1 - u) * q + u * u * r;
  return { x: mix(a.x, c.x, b.x), y: mix(a.y, c.y, b.y) };
}

/** Returns u, from 0 to 1, eased so that it changes slowly at the start and the end. @param {number} u */
function eased(u) { return u * u * (3 - 2 * u); }

/** Returns the CSS transform for a position and a size. @param {Point} at @param {number} scale */
function placed({ x, y }, scale) { return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(3)})`; }

/**
 * Returns the time at which timer k of n starts to travel, as a fraction of the duration.
 * @param {number} k @param {number} n
 */
function startOf(k, n) { return LIFTED + TRAVEL * STAGGER * (n > 1 ? k / (n - 1) : 0); }

/**
 * Returns the animation of the opacity of element k of n, which is visible only while it travels.
 * @param {number} k @param {number} n @returns {Keyframe[]}
 */
export function visible(k, n) {
  const start = startOf(k, n);
  return [{ offset: 0, opacity: 0 }, { offset: start, opacity: 0 }, { offset: start + FADE, opacity: 1 }, { offset: SETTLING, opacity: 1 }, { offset: 1, opacity: 0 }];
}

/**
 * Returns the animation of timer k of n, which is lifted, travels along a path, and settles at its end.
 * @param {Point[]} way the path, two points or more @param {boolean} curved @param {number} k
 * @param {number} n @param {boolean} appears whether the timer was in no place before @returns {Keyframe[]}
 */
export function travel(way, curved, k, n, appears) {
  const start = startOf(k, n);
  const length = TRAVEL * (1 - STAGGER);
  /** @type {Keyframe[]} */
  const frames = [
    { offset: 0, transform: placed(way[0], appears ? 0.2 : 1), opacity: appears ? 0 : 1 },
    { offset: start, transform: placed(way[0], LIFT), opacity: 1 },
  ];
  const samples = SAMPLES * Math.max(1, way.length - 1);
  for (let s = 1; s <= samples; s++) {
    frames.push({ offset: start + (length * s) / samples, transform: placed(along(way, eased(s / samples), curved), LIFT), opacity: 1 });
  }
  frames.push({ offset: 1, transform: placed(way[way.length - 1], 1), opacity: 1 });
  return frames;
}

/** Returns an animation in the reverse direction. @param {Keyframe[]} frames @returns {Keyframe[]} */
export function reversed(frames) {
  return frames.map((frame) => ({ ...frame, offset: 1 - Number(frame.offset) })).reverse();
}

/** The animation of arrows that grow from their start to their end. It applies to paths whose pathLength is 1. @type {Keyframe[]} */
export const GROW = [
  { offset: 0, strokeDasharray: "1 1", strokeDashoffset: 1 },
  { offset: LIFTED, strokeDasharray: "1 1", strokeDashoffset: 1 },
  { offset: SETTLING, strokeDasharray: "1 1", strokeDashoffset: 0 },
  { offset: 1, strokeDasharray: "1 1", strokeDashoffset: 0 },
];

/** The animation of arrows of an undone step, which shrink. @type {Keyframe[]} */
export const SHRINK = [
  { offset: 0, strokeDasharray: "1 1", strokeDashoffset: 0 },
  { offset: LIFTED, strokeDasharray: "1 1", strokeDashoffset: 0 },
  { offset: 1, strokeDasharray: "1 1", strokeDashoffset: 1 },
];

/** The animation of elements that appear when the timers have arrived, such as their new dots. @type {Keyframe[]} */
export const ARRIVE = [{ offset: 0, opacity: 0 }, { offset: SETTLING - 0.1, opacity: 0 }, { offset: 1, opacity: 1 }];

/** The animation of elements that appear when the timers of a slot are lifted. @type {Keyframe[]} */
export const RISE = [{ offset: 0, opacity: 0 }, { offset: LIFTED, opacity: 1 }, { offset: 1, opacity: 1 }];

/**
 * The animation of elements that disappear from a slot whose timers are lifted. It ends when the last timer
 * starts to travel.
 * @type {Keyframe[]}
 */
export const LEAVE = [{ offset: 0, opacity: 1 }, { offset: LIFTED, opacity: 1 }, { offset: LIFTED + TRAVEL * STAGGER, opacity: 0 }, { offset: 1, opacity: 0 }];

/** The animations of a number that is replaced (old), and of the number that replaces it (next). @type {Record<"next"|"old", Keyframe[]>} */
export const COUNT_DOWN = {
  next: [{ offset: 0, opacity: 0 }, { offset: 0.45, opacity: 0 }, { offset: 0.6, opacity: 1 }, { offset: 1, opacity: 1 }],
  old: [{ offset: 0, opacity: 1 }, { offset: 0.45, opacity: 1 }, { offset: 0.6, opacity: 0 }, { offset: 1, opacity: 0 }],
};
