// @ts-check
/**
 * The instant that is shown. Playing, steps, dragging and seeking all only set T; a frame follows from it. The clock
 * has no timer of its own: advance is called with the time of each frame.
 */
import { REST, positionOf, timeOf } from "../picture/scene.js";
import { clamp, mix } from "../picture/face.js";
import { ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";

/** @typedef {{T: number, pacing: import("../picture/scene.js").Pacing}} Instant */

/** Time in a rest frame at 2 ticks per second or less, in milliseconds, by how much there is to read. */
const HOLD = { much: 800, little: 300, end: 1800 };
/** Speeds in ticks per second. The last one is "fast". */
export const SPEEDS = [0.5, 1, 2, 4, 16];
/** Part of the speed in the first half of a tick in which something happens. */
const BUSY = 0.6;
/** Greatest speed with holds. */
const SLOW_MAX = 2;
/** Longest time between two frames that counts, in milliseconds: a page in the background does not jump. */
const FRAME_MAX = 250;

export class Clock {
  T = 0;
  /** @type {import("../picture/scene.js").Pacing} */
  pacing = "tick";
  playing = false;
  /** Whether the end leads to the beginning. */
  loop = true;
  speed = 2;
  /** @type {{from: number, to: Instant, start: number, long: number}|null} */
  #tween = null;
  #last = 0;
  #heldUntil = 0;
  /** Tick whose hold is over. */
  #heldAt = -1;

  /**
   * @param {() => number} until returns the last tick of the run
   * @param {(tick: number) => 0|1|2} interest returns how much there is to see in a tick: nothing, little or much
   * @param {() => [number, number]} range returns the least and the greatest T that can be shown
   */
  constructor(until, interest, range = () => [0, until() + REST]) {
    this.until = until;
    this.range = range;
    this.interest = interest;
  }

  /** Reports whether T changes by itself. */
  get moves() { return this.playing || this.#tween !== null; }
  /** Returns where T comes to rest. @returns {Instant} */
  get goal() { return this.#tween?.to ?? { T: this.T, pacing: this.pacing }; }

  /** Shows an instant, at once. @param {number} T @param {import("../picture/scene.js").Pacing} [pacing] */
  set(T, pacing = "tick") {
    this.#tween = null;
    this.T = clamp(T, ...this.range());
    this.pacing = pacing;
  }

  /** Moves to an instant. @param {Instant} to @param {number} long duration in milliseconds; 0: at once @param {number} now */
  go(to, long, now) {
    this.playing = false;
    if (long <= 0) return this.set(to.T, to.pacing);
    this.pacing = to.pacing === "event" || this.pacing === "event" ? "event" : "tick";
    if (Math.abs(to.T - this.T) > 1.5) this.pacing = "tick";
    this.#tween = { from: this.T, to: { T: clamp(to.T, ...this.range()), pacing: to.pacing }, start: now, long };
  }

  /** Starts or stops playing. @param {boolean} on @param {number} now */
  play(on, now) {
    this.playing = on;
    this.#tween = null;
    this.#last = now;
    this.#heldUntil = 0;
    if (!on) return;
    this.pacing = "tick";
    this.#heldAt = this.T - Math.floor(this.T) >= REST ? Math.floor(this.T) : -1;
    if (this.loop && this.T >= this.until() + REST - 0.01) [this.T, this.#heldAt] = [0, -1];
  }

  /** Ends a movement in the rest frame of its tick. @param {number} now @param {number} long */
  rest(now, long) { this.go({ T: Math.floor(this.T) + REST, pacing: "tick" }, long, now); }

  /** Advances T to the time of a frame. Returns whether another frame is needed. @param {number} now */
  advance(now) {
    if (this.#tween) this.#move(now);
    else if (this.playing) this.#play(now);
    this.#last = now;
    return this.moves;
  }

  /** @param {number} now */
  #move(now) {
    const { from, to, start, long } = /** @type {{from: number, to: Instant, start: number, long: number}} */ (this.#tween);
    const u = clamp((now - start) / long, 0, 1);
    this.T = mix(from, to.T, 1 - (1 - u) ** 2);
    if (u >= 1) this.set(to.T, to.pacing);
  }

  /** @param {number} now */
  #play(now) {
    const dt = clamp(now - this.#last, 0, FRAME_MAX) / 1000;
    if (now < this.#heldUntil) return;
    const tick = Math.floor(this.T);
    const interest = this.speed <= SLOW_MAX ? this.interest(tick) : 0;
    const first = this.T - tick < REST;
    let next = this.T + dt * this.speed * (interest && first ? BUSY : 1);
    if (interest && first && next >= tick + REST && this.#heldAt !== tick) {
      next = tick + REST;
      this.#heldAt = tick;
      this.#heldUntil = now + (interest > 1 ? HOLD.much : HOLD.little);
    }
    const end = this.until() + REST;
    const known = this.range()[1];
    if (next > known && known < end) next = known; // further events are awaited
    else if (next > end) {
      if (!this.loop) {
        this.playing = false;
        next = end;
      } else if (this.T < end) {
        next = end;
        this.#heldUntil = now + HOLD.end;
      } else [next, this.#heldAt] = [0, -1];
    }
    this.T = next;
  }
}

/** @typedef {import("../picture/window.js").Window} Window */
/** @typedef {import("../picture/scene.js").Pacing} Pacing */

/** Reports whether row i begins a step: another tick, another position of a hand, or another operation. @param {Window} win @param {number} i */
function beginsStep(win, i) {
  if (i === 0) return true;
  const { rows } = win;
  const [at, before] = [i * ROW, (i - 1) * ROW];
  if (win.tickOf(i) !== win.tickOf(i - 1)) return true;
  const kind = cell(rows, at, "kind");
  if (kind === KIND.hand || kind === KIND.dequeue) return true;
  const [lane, last] = [cell(rows, at, "lane"), cell(rows, before, "lane")];
  if (lane === last && !(isOperation(rows, at) && !continues(win, i))) return false;
  return !inOperation(win, i) || !sameOperation(win, i);
}

/** Reports whether a row is that of a caller's operation. @param {number[]} rows @param {number} at */
function isOperation(rows, at) {
  const kind = cell(rows, at, "kind");
  return (kind === KIND.schedule && cell(rows, at, "run") <= 1) || kind === KIND.cancel || kind === KIND.mark || kind === KIND.miss;
}

/** Returns the row of the operation that row i belongs to, or −1 if it belongs to a visit. @param {Window} win @param {number} i */
function operationOf(win, i) {
  const lane = cell(win.rows, i * ROW, "lane");
  const tick = win.tickOf(i);
  for (let k = i; k >= 0 && win.tickOf(k) === tick && cell(win.rows, k * ROW, "lane") === lane; k--) {
    if (isOperation(win.rows, k * ROW)) return k;
    if (cell(win.rows, k * ROW, "kind") === KIND.hand) return -1;
  }
  return -1;
}

/** @param {Window} win @param {number} i */
const inOperation = (win, i) => operationOf(win, i) >= 0 && operationOf(win, i - 1) >= 0;

/** Reports whether row i belongs to the same operation as the row before it, which is in another lane or the same. @param {Window} win @param {number} i */
function sameOperation(win, i) {
  const [a, b] = [operationOf(win, i), operationOf(win, i - 1)];
  const [x, y] = [cell(win.rows, a * ROW, "id"), cell(win.rows, b * ROW, "id")];
  return cell(win.rows, i * ROW, "lane") >= cell(win.rows, (i - 1) * ROW, "lane") && (x === y || win.name(x) === win.name(y));
}

/** Reports whether the operation in row i continues that of the row before it, as the schedule of a reset does. @param {Window} win @param {number} i */
function continues(win, i) {
  const b = operationOf(win, i - 1);
  return b >= 0 && cell(win.rows, b * ROW, "kind") !== KIND.schedule && win.name(cell(win.rows, b * ROW, "id")) === win.name(cell(win.rows, i * ROW, "id"));
}

/**
 * Returns the instant that a movement leads to.
 * @param {Window} win @param {Instant} from @param {"tick"|"event"|"step"} by @param {1|-1} n @returns {Instant}
 */
export function after(win, from, by, n) {
  const { until } = win.run;
  if (by === "tick") {
    const k = Math.floor(from.T);
    const rest = k + REST;
    const to = n > 0 ? (from.T < rest - 1e-6 ? rest : rest + 1) : from.T > rest + 1e-6 ? rest : rest - 1;
    return { T: to < REST ? 0 : Math.min(to, until + REST), pacing: "tick" };
  }
  const { tick, seq } = positionOf(win, from.T, from.pacing);
  let i = win.upto(seq);
  if (n > 0) {
    if (i >= win.length) return { T: win.end ? until + REST : win.last + 1 + REST, pacing: "tick" };
    i++;
    if (by === "step") while (i < win.length && !beginsStep(win, i)) i++;
  } else {
    if (i === 0) return { T: win.from.tick < 0 ? 0 : win.from.tick - (tick > win.from.tick ? 0 : 1) + REST, pacing: "tick" };
    if (win.tickOf(i - 1) < tick && from.T >= tick) {
      return { T: timeOf(win, win.seqOf(i - 1)), pacing: "event" }; // from a tick without events to the last event
    }
    i--;
    if (by === "step") while (i > 0 && !beginsStep(win, i)) i--;
  }
  return i === 0 ? { T: win.range[0], pacing: "tick" } : { T: timeOf(win, win.seqOf(i - 1)), pacing: "event" };
}
