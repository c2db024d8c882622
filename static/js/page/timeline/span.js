// @ts-check
/**
 * The range of ticks that the timeline shows, and the positions of ticks in it. Lengths are in CSS pixels,
 * and times in base ticks. This module does not access the DOM.
 */

/**
 * Distance of the first and the last tick from the ends of the timeline, in pixels. It is half the width of
 * the slider's thumb.
 */
export const INSET_PX = 8;
/** Minimum number of visible ticks. */
const SPAN_MIN = 8;
/** Factor of one zoom step. */
const ZOOM = 2;

export class Span {
  from = 0;
  to = 1;
  width = 1;

  /** @param {number} until */
  constructor(until = 1) {
    this.until = Math.max(until, 1);
    this.to = this.until;
  }

  get whole() { return this.from === 0 && this.to === this.until; }

  /** Reports whether the run is long enough for zooming. */
  get deep() { return this.until > 4 * SPAN_MIN; }

  get narrow() { return this.to - this.from <= SPAN_MIN; }

  /** Returns the distance of a tick from the left end, in pixels. @param {number} tick */
  x(tick) {
    return INSET_PX + ((this.width - 2 * INSET_PX) * (tick - this.from)) / (this.to - this.from);
  }

  /** Returns the tick nearest to a position, within the visible range. @param {number} x */
  tick(x) {
    const part = (x - INSET_PX) / Math.max(1, this.width - 2 * INSET_PX);
    return Math.round(this.from + Math.min(1, Math.max(0, part)) * (this.to - this.from));
  }

  /**
   * Zooms in or out.
   * @param {number} steps 1 for in, −1 for out @param {number} about tick that keeps its position
   */
  zoom(steps, about) {
    const length = this.to - this.from;
    const next = Math.min(this.until, Math.max(SPAN_MIN, Math.round(length * ZOOM ** -steps)));
    const share = Math.min(1, Math.max(0, (about - this.from) / length));
    this.#put(about - share * next, next);
  }

  /** Moves the range so that it contains a tick. Returns whether it had to move. @param {number} tick */
  follow(tick) {
    if (tick >= this.from && tick <= this.to) return false;
    const length = this.to - this.from;
    this.#put(tick > this.to ? tick : tick - length, length); // by a whole page
    return true;
  }

  /** Sets the range, clipped to the run. @param {number} from @param {number} length */
  #put(from, length) {
    this.from = Math.round(Math.min(this.until - length, Math.max(0, from)));
    this.to = this.from + length;
  }
}

/** Minimum distance between two numbers, in pixels. */
const APART_PX = 76;

/**
 * Returns the distance between two numbers: 1, 2 or 5 times a power of ten.
 * @param {number} ticks number of visible ticks @param {number} most maximum number of numbers
 */
export function tickStep(ticks, most) {
  const least = ticks / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((n) => n * power >= least) ?? 10);
}

/**
 * Draws the numbers of the visible ticks.
 * @param {import("./rows.js").Sheet} sheet @param {number} bottom bottom edge, in pixels
 * @param {string} font @param {string} unit text after the last number: "" or a unit such as " ms"
 */
export function drawTicks({ context: c, span, palette }, bottom, font, unit) {
  const step = tickStep(span.to - span.from, span.width / APART_PX);
  c.font = font;
  c.fillStyle = palette.soft;
  c.textBaseline = "bottom";
  const end = `${span.to}${unit}`;
  const room = span.x(span.to) - c.measureText(end).width;
  c.textAlign = "right";
  c.fillText(end, span.width - 1, bottom);
  for (let tick = Math.ceil(span.from / step) * step; tick < span.to; tick += step) {
    const text = String(tick);
    const half = c.measureText(text).width / 2;
    const x = Math.max(half, span.x(tick));
    if (x + half + APART_PX / 6 > room) break;
    c.textAlign = "center";
    c.fillText(text, x, bottom);
  }
}
