// @ts-check
/**
 * Draws the wheel on Redis. A slice, which covers a minute, is a column with its seconds from top to bottom.
 * Boxes below the columns contain the timers outside the slices. Positions depend only on the state and the
 * cursor. This module must agree with templates/slices.go.
 */
import { BOXES_GAP, BOXES_HIGH, BOXES_TOP, BOX_HEAD, COLUMNS_MAX, COLUMN_MOST, DOT_MIN, SLICES_HIGH as HIGH, SLICES_LEFT as LEFT, SLICES_TOP as TOP, SLICES_WIDE as WIDE,
  SLICE_RADIUS as RADIUS, WINDOW_TALL as WINDOW } from "./dimensions.js";
import { fit, fix } from "./face.js";
import { originOf } from "./scene.js";
import { minuteName, nanoseconds, twoDigits } from "../core/times.js";
import { t } from "../core/texts.js";

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {{algorithm: string, shape: string, params: Record<string, any>, tick: string}} Info properties of a lane on which positions depend */
/** @typedef {{x: number, wide: number}} Column left edge and width of a minute's column */
/**
 * @typedef {object} Slices values, other than the place, on which positions depend
 * @property {number[]} minutes minutes that have a column, since 1970
 * @property {number[]} boxes slots of level −1 that have a box, in display order
 */

/** Returns the slots of level −1 that a lane has, in display order. @param {Info} info */
function besides(info) {
  return info.params.as === "corrected" ? [0, 1, 2] : [0, 3];
}

/**
 * Returns the lane's clock as a Unix time in seconds, rounded down.
 * @param {Info} info @param {number} now @param {number} start
 */
function nowSecond(info, now, start) {
  return Number((BigInt(start + now) * BigInt(nanoseconds(info.tick))) / 1_000_000_000n); // the product may exceed 2^53
}

/**
 * Returns the values on which positions in the picture depend.
 * @param {Info} info @param {{now: number, places: {level: number, slot: number}[]}} state @param {number} start @returns {Slices}
 */
export function slicesOf(info, { now, places }, start) {
  const all = new Set([Math.floor(nowSecond(info, now, start) / 60)]);
  for (const { level, slot } of places) if (level === 0) all.add(Math.floor(slot / 60));
  return { minutes: [...all].sort((a, b) => a - b).slice(0, COLUMNS_MAX), boxes: besides(info) };
}

/** Returns the column of a minute, or the last column if the minute has none. @param {number[]} minutes @param {number} minute @returns {Column} */
function columnOf(minutes, minute) {
  const wide = Math.min(COLUMN_MOST, WIDE / minutes.length);
  const at = minutes.indexOf(minute);
  return { x: LEFT + wide * (at < 0 ? minutes.length - 1 : at), wide };
}

/** Returns the top of a second in its column. @param {number} slot the Unix second */
function secondTop(slot) {
  return TOP + (HIGH / 60) * (slot % 60);
}

/** Returns the number of dots side by side in a column, for a lane with the given number of timers. @param {number} wide @param {number} timers */
function abreast(wide, timers) {
  const room = timers <= 60 ? 18 : timers <= 250 ? 11 : 6;
  return Math.max(1, Math.floor(wide / room));
}

/**
 * Returns the position of the timer at `index` in a place.
 * @param {Slices} slices @param {number} size number of timers of the lane
 * @param {{level: number, slot: number, count: number}} place @param {number} index
 */
export function sliceSpot(slices, size, { level, slot, count }, index) {
  if (level < 0) return boxSpot(slices, slot, count, index);
  const { x, wide } = columnOf(slices.minutes, Math.floor(slot / 60));
  const n = abreast(wide, size);
  const r = Math.max(DOT_MIN, Math.min(RADIUS, (0.45 * wide) / n));
  return { x: x + (wide / n) * (((slot + index) % n) + 0.5), y: secondTop(slot) + HIGH / 120, r };
}

/**
 * Returns the left edge and the width of a box.
 * @param {Slices} slices @param {number} slot @returns {Column}
 */
function boxAt({ boxes }, slot) {
  const wide = (400 - BOXES_GAP) / boxes.length;
  return { x: BOXES_GAP + wide * Math.max(0, boxes.indexOf(slot)), wide: wide - BOXES_GAP };
}

/** Returns the position of the timer at `index` of `count` in a box. @param {Slices} slices @param {number} slot @param {number} count @param {number} index */
function boxSpot(slices, slot, count, index) {
  const box = boxAt(slices, slot);
  const { cols, cell } = fit(count, BOXES_HIGH - BOX_HEAD - 4, box.wide - 12, 24);
  return {
    x: box.x + 6 + cell * ((index % cols) + 0.5),
    y: BOXES_TOP + BOX_HEAD + cell * (Math.floor(index / cols) + 0.5),
    r: Math.max(DOT_MIN, cell * 0.45),
  };
}

/** Returns the outline of a rectangle. @param {number} x @param {number} y @param {number} wide @param {number} high */
function rect(x, y, wide, high) {
  return wide > 0 && high > 0 ? `M${fix(x)} ${fix(y)}h${fix(wide)}v${fix(high)}h${fix(-wide)}z` : "";
}

/**
 * Returns the outline of the seconds that the worker reads at the second `now`. The published algorithm reads two
 * seconds from `now` on, but none of the next minute. The corrected one reads all seconds up to `now`.
 * @param {Info} info @param {number[]} minutes minutes that have a column @param {number} now
 */
function scanPath(info, minutes, now) {
  const { x, wide } = columnOf(minutes, Math.floor(now / 60));
  if (info.params.as === "corrected") {
    return rect(LEFT, TOP, x - LEFT, HIGH) + rect(x, TOP, wide, secondTop(now) + HIGH / 60 - TOP);
  }
  return rect(x, secondTop(now), wide, (HIGH / 60) * Math.min(WINDOW, 60 - (now % 60)));
}

/**
 * Returns what lies behind the tasks of the wheel on Redis: the columns, the boxes, and the range that the worker reads.
 * @param {Info} info @param {Slices} slices @param {import("./scene.js").Scene} scene @returns {Node_[]}
 */
export function columns(info, slices, { after, win, lane }) {
  const { minutes, boxes } = slices;
  const now = nowSecond(info, after.now, originOf(win, lane));
  const all = minutes.map((m) => ({ m, ...columnOf(minutes, m) }));
  let seconds = "";
  for (const { level, slot } of after.places) {
    const { x, wide } = columnOf(minutes, Math.floor(slot / 60));
    if (level === 0) seconds += rect(x, secondTop(slot), wide, HIGH / 60);
  }
  const narrow = minutes.length > 6 ? " narrow" : "";
  return [
    ["g", { class: "frame" }, [
      ...all.map(({ x, wide }) => /** @type {Node_} */ (["rect", { class: "ring", x: fix(x), y: TOP, width: fix(wide), height: HIGH }])),
      ["path", { class: "shade second", d: seconds }],
      ...boxes.map((slot) => boxAt(slices, slot)).map(({ x, wide }) => /** @type {Node_} */ (["rect", { class: "ring", x: fix(x), y: BOXES_TOP, width: fix(wide), height: BOXES_HIGH, rx: 6 }])),
    ]],
    ["g", { class: "hands" }, [["path", { class: "hand", d: scanPath(info, minutes, now) }]]],
    ["g", { class: "numbers" }, [
      ...all.map(({ m, x, wide }) => /** @type {Node_} */ (["text", { class: `slice${m === Math.floor(now / 60) ? " under" : ""}${narrow}`, x: fix(x + wide / 2), y: TOP - 12 }, minuteName(m)])),
      ...[0, 15, 30, 45].map((s) => /** @type {Node_} */ (["text", { class: "second", x: LEFT - 6, y: fix(secondTop(s) + 6) }, `:${twoDigits(s)}`])),
      ...boxes.map((slot) => /** @type {Node_} */ (["text", { class: "beside", x: fix(boxAt(slices, slot).x + 6), y: BOXES_TOP + BOX_HEAD / 2 + 1 }, t(`redis.beside.${slot}`)])),
    ]],
  ];
}
