// @ts-check
/**
 * The part of a picture that is looked at: a square of the picture's 400 units, all
 * of it or enlarged. Pure. It is the viewer's own, and no part of a lane's state.
 */

/** Side of a picture in units. */
const UNITS = 400;
/** How far a picture is enlarged at most: a ring of few slots, and one of very many. */
const LEAST_MOST = 8;
const MOST = 1024;
/** Slots that share the picture's side at the greatest zoom, where a ring is as wide as it can be. */
const SLOTS_SEEN = 12;
const ROUND = 1043; // units round the rim

/** How far a level of so many slots is enlarged at most. @param {number} slots */
export function zoomMost(slots) {
  return Math.min(MOST, Math.max(LEAST_MOST, (slots * UNITS) / ROUND / SLOTS_SEEN));
}

export class Zoom {
  /** How many times as large: 1 or more. */
  k = 1;
  /** The corner at the top left, units. */
  x = 0;
  y = 0;

  get on() { return this.k > 1; }

  /** Units that a side shows. */
  get side() { return UNITS / this.k; }

  /** The part that is seen, as an SVG viewBox has it. */
  get box() { return `${this.x} ${this.y} ${this.side} ${this.side}`; }

  /** The zoom as a power of two: what is laid out anew at every step, not at every pixel of a gesture. */
  get step() { return 2 ** Math.floor(Math.log2(this.k) + 1e-9); }

  /** Enlarges by a factor; the point (x, y), units, stays where it is seen. @param {number} factor @param {number} x @param {number} y @param {number} most */
  about(factor, x, y, most) {
    const k = Math.min(most, Math.max(1, this.k * factor));
    const share = this.k / k;
    this.#put(k, x - (x - this.x) * share, y - (y - this.y) * share);
  }

  /** Moves what is seen, units. @param {number} dx @param {number} dy */
  pan(dx, dy) { this.#put(this.k, this.x + dx, this.y + dy); }

  /** Puts a point into the middle. @param {number} x @param {number} y */
  centre(x, y) { this.#put(this.k, x - this.side / 2, y - this.side / 2); }

  whole() { this.#put(1, 0, 0); }

  /** Whether a point is seen. @param {number} x @param {number} y @param {number} [room] units around the part */
  holds(x, y, room = 0) {
    const inside = (/** @type {number} */ v, /** @type {number} */ from) => v >= from - room && v <= from + this.side + room;
    return inside(x, this.x) && inside(y, this.y);
  }

  /** The point seen at a share of the side, 0 … 1, from the left and from the top. @param {number} left @param {number} top @returns {[number, number]} */
  at(left, top) { return [this.x + left * this.side, this.y + top * this.side]; }

  /** @param {number} k @param {number} x @param {number} y */
  #put(k, x, y) {
    const most = UNITS - UNITS / k;
    [this.k, this.x, this.y] = [k, Math.min(most, Math.max(0, x)), Math.min(most, Math.max(0, y))];
  }
}
