// @ts-check
/**
 * The visible part of a picture: all of the square of 400 units, or a smaller square that is magnified. It is
 * not part of the state of a lane. This module does not access the DOM.
 */

/** Side length of a picture, in units. */
const UNITS = 400;
/** Maximum magnification of a ring of few slots. */
const LEAST_MOST = 8;
/** Maximum magnification of a ring of very many slots. */
const MOST = 1024;
/** Number of slots along the side of the picture at maximum magnification. */
const SLOTS_SEEN = 12;
const ROUND = 1043; // circumference of the rim, in units

/** Returns the maximum magnification for a level with the given number of slots. @param {number} slots */
export function zoomMost(slots) {
  return Math.min(MOST, Math.max(LEAST_MOST, (slots * UNITS) / ROUND / SLOTS_SEEN));
}

export class Zoom {
  /** Magnification, at least 1. */
  k = 1;
  /** Horizontal coordinate of the visible part's top left corner, in units. */
  x = 0;
  /** Vertical coordinate of the visible part's top left corner, in units. */
  y = 0;

  get on() { return this.k > 1; }

  /** Returns the side length of the visible part, in units. */
  get side() { return UNITS / this.k; }

  /** Returns the visible part as an SVG viewBox. */
  get box() { return `${this.x} ${this.y} ${this.side} ${this.side}`; }

  /**
   * Returns the magnification rounded down to a power of two. The layout depends on this value only, and so
   * changes in steps, not continuously, during a gesture.
   */
  get step() { return 2 ** Math.floor(Math.log2(this.k) + 1e-9); }

  /** Magnifies by a factor around the fixed point (x, y), in units. @param {number} factor @param {number} x @param {number} y @param {number} most */
  about(factor, x, y, most) {
    const k = Math.min(most, Math.max(1, this.k * factor));
    const share = this.k / k;
    this.#put(k, x - (x - this.x) * share, y - (y - this.y) * share);
  }

  /** Moves the visible part, in units. @param {number} dx @param {number} dy */
  pan(dx, dy) { this.#put(this.k, this.x + dx, this.y + dy); }

  /** Centres the visible part on a point. @param {number} x @param {number} y */
  centre(x, y) { this.#put(this.k, x - this.side / 2, y - this.side / 2); }

  whole() { this.#put(1, 0, 0); }

  /**
   * Reports whether a point is visible.
   * @param {number} x @param {number} y @param {number} [room] margin around the visible part, in units
   */
  holds(x, y, room = 0) {
    const inside = (/** @type {number} */ v, /** @type {number} */ from) => v >= from - room && v <= from + this.side + room;
    return inside(x, this.x) && inside(y, this.y);
  }

  /**
   * Returns the point at the given fractions, 0 to 1, of the side from the left and from the top.
   * @param {number} left @param {number} top @returns {[number, number]}
   */
  at(left, top) { return [this.x + left * this.side, this.y + top * this.side]; }

  /**
   * Sets the visible part. It is moved if it would extend beyond the picture.
   * @param {number} k @param {number} x @param {number} y
   */
  #put(k, x, y) {
    const most = UNITS - UNITS / k;
    [this.k, this.x, this.y] = [k, Math.min(most, Math.max(0, x)), Math.min(most, Math.max(0, y))];
  }
}
