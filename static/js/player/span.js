// @ts-check
/**
 * The stretch of ticks that the timeline shows, and where a tick stands in it.
 * Pure. Lengths are CSS pixels, times base ticks.
 */

/** Pixels from the strip's ends to the first and the last tick: half the slider's thumb. */
export const INSET_PX = 8;
/** Ticks that a zoom leaves at least. */
const SPAN_MIN = 8;
/** How much one step of zoom takes away or adds. */
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

  /** Whether there is anything to zoom into. */
  get deep() { return this.until > 4 * SPAN_MIN; }

  get narrow() { return this.to - this.from <= SPAN_MIN; }

  /** Pixels from the left to a tick. @param {number} tick */
  x(tick) {
    return INSET_PX + ((this.width - 2 * INSET_PX) * (tick - this.from)) / (this.to - this.from);
  }

  /** The tick nearest to a place, within what is shown. @param {number} x */
  tick(x) {
    const part = (x - INSET_PX) / Math.max(1, this.width - 2 * INSET_PX);
    return Math.round(this.from + Math.min(1, Math.max(0, part)) * (this.to - this.from));
  }

  /** Zooms in (1) or out (-1) so that a tick keeps its place. @param {number} steps @param {number} about */
  zoom(steps, about) {
    const length = this.to - this.from;
    const next = Math.min(this.until, Math.max(SPAN_MIN, Math.round(length * ZOOM ** -steps)));
    const share = Math.min(1, Math.max(0, (about - this.from) / length));
    this.#put(about - share * next, next);
  }

  /** Moves so that a tick is shown. Tells whether it had to. @param {number} tick */
  follow(tick) {
    if (tick >= this.from && tick <= this.to) return false;
    const length = this.to - this.from;
    this.#put(tick > this.to ? tick : tick - length, length); // as a page is turned
    return true;
  }

  /** @param {number} from @param {number} length */
  #put(from, length) {
    this.from = Math.round(Math.min(this.until - length, Math.max(0, from)));
    this.to = this.from + length;
  }
}
