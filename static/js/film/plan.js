// @ts-check
/**
 * What a film is made of: its cursors, one a frame, and the bounds of what is asked
 * for. Pure.
 */

/** Frames of a film at most. */
export const FRAMES_MAX = 3600;
/** Pixels of all frames of a film together at most: an hour of work, and 4 GB to pass through. */
export const PIXELS_MAX = 4_000_000_000;
/** Frames a second at most; of a GIF those whose delay browsers keep. */
export const RATE_MAX = { webm: 60, gif: 50 };

/** Sizes that are offered, pixels; encoders want even numbers. */
export const SIZES = [[640, 360], [960, 540], [1280, 720], [1920, 1080], [720, 720]];

/**
 * @typedef {object} Asked
 * @property {number} from the first tick @property {number} to the last @property {"tick"|"event"} unit
 * @property {number} by ticks or events a frame @property {number} rate frames a second @property {"webm"|"gif"} format
 * @property {number} width pixels @property {number} height @property {number[]} lanes indexes
 */

/**
 * What is wrong with what is asked, as the key of a text and its values; null: nothing.
 * @param {Asked} asked @param {number} until the last tick of the run @returns {{field: string, key: string, values: Record<string, number>}|null}
 */
export function wrong(asked, until) {
  const { from, to, by, rate, format, lanes } = asked;
  const whole = (/** @type {number} */ n, /** @type {number} */ low, /** @type {number} */ high) => Number.isInteger(n) && n >= low && n <= high;
  if (!whole(from, 0, until)) return { field: "from", key: "film.bad.tick", values: { low: 0, high: until } };
  if (!whole(to, from, until)) return { field: "to", key: "film.bad.tick", values: { low: from, high: until } };
  if (!whole(by, 1, Number.MAX_SAFE_INTEGER)) return { field: "by", key: "film.bad.by", values: {} };
  if (!whole(rate, 1, RATE_MAX[format])) return { field: "rate", key: "film.bad.rate", values: { high: RATE_MAX[format] } };
  if (lanes.length === 0) return { field: "lanes", key: "film.bad.lanes", values: {} };
  return null;
}

/**
 * What is wrong with a number of frames; null: nothing.
 * @param {number} frames @param {Asked} asked
 */
export function tooMany(frames, { width, height }) {
  if (frames < 1) return { field: "from", key: "film.bad.none", values: {} };
  if (frames > FRAMES_MAX) return { field: "by", key: "film.bad.frames", values: { n: frames, max: FRAMES_MAX } };
  if (frames * width * height > PIXELS_MAX) return { field: "size", key: "film.bad.pixels", values: { n: frames, most: Math.floor(PIXELS_MAX / (width * height)) } };
  return null;
}

/** How many frames there are from a first to a last place, which is always one of them. @param {number} first @param {number} last @param {number} by */
export function count(first, last, by) {
  return last < first ? 0 : Math.ceil((last - first) / by) + 1;
}

/**
 * The places of the frames.
 * @param {number} first @param {number} last @param {number} by
 */
export function places(first, last, by) {
  return Array.from({ length: count(first, last, by) }, (_, k) => Math.min(first + k * by, last));
}
