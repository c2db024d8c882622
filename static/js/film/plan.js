// @ts-check
/** Pure functions that plan a film: its cursors, one per frame, and its limits. */

/** Maximum number of frames of a film. */
const FRAMES_MAX = 3600;
/** Maximum number of pixels of all frames together. Encoding them takes about an hour. */
const PIXELS_MAX = 4_000_000_000;
/**
 * Maximum number of frames per second. For a GIF it follows from the shortest delay that browsers support.
 */
const RATE_MAX = { webm: 60, gif: 50 };

/** Sizes of a film that the user can choose, in pixels. Encoders need even numbers. */
export const SIZES = [[640, 360], [960, 540], [1280, 720], [1920, 1080], [720, 720]];

/**
 * @typedef {object} Asked
 * @property {number} from first tick @property {number} to last tick @property {"tick"|"event"} unit
 * @property {number} by number of ticks or events per frame @property {number} rate frames per second
 * @property {"webm"|"gif"} format
 * @property {number} width width in pixels @property {number} height height in pixels
 * @property {number[]} lanes indices of the lanes
 */

/**
 * Returns why a request is invalid, as the name of a field and the key and values of a text. Returns null if the
 * request is valid.
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
 * Returns why a number of frames is invalid, as the name of a field and the key and values of a text. Returns null
 * if the number is valid.
 * @param {number} frames @param {Asked} asked @returns {{field: string, key: string, values: Record<string, number>}|null}
 */
export function tooMany(frames, { width, height }) {
  if (frames < 1) return { field: "from", key: "film.bad.none", values: {} };
  if (frames > FRAMES_MAX) return { field: "by", key: "film.bad.frames", values: { n: frames, max: FRAMES_MAX } };
  if (frames * width * height > PIXELS_MAX) return { field: "size", key: "film.bad.pixels", values: { n: frames, most: Math.floor(PIXELS_MAX / (width * height)) } };
  return null;
}

/** Returns the number of frames from first to last. The last position always has a frame. @param {number} first @param {number} last @param {number} by */
export function count(first, last, by) {
  return last < first ? 0 : Math.ceil((last - first) / by) + 1;
}

/**
 * Returns the positions of the frames from first to last, `by` ticks or events apart. The last position
 * always has a frame.
 * @param {number} first @param {number} last @param {number} by
 */
export function places(first, last, by) {
  return Array.from({ length: count(first, last, by) }, (_, k) => Math.min(first + k * by, last));
}
