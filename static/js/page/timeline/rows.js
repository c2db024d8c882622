// @ts-check
/**
 * Draws the rows of the timeline. The row of a lane has bars for the pending timers, on a scale common to all
 * lanes, and below them marks for events and for the costliest tick. The rows are redrawn when the run, the
 * visible range, the size or the colours change.
 */
import { Raster, pixelOf } from "./raster.js";
import { EVENT_MARKS, diamond, stampOf } from "./event-marks.js";

/** Height of the bars, as a fraction of the row's height. */
const BARS = 0.62;
/** Vertical position of the marks' centres, as a fraction of the row's height. */
const MARKS_AT = 0.81;
/** Half the height of a mark, in pixels, if the row is high enough. */
const MARK_PX = 8;
/** Half the height of a mark in a low row, as a fraction of the row's height. */
const MARK_SHARE = 0.15;
/** Minimum distance between the centres of marks of the same kind, as a multiple of half a mark's height. */
const NEXT = 2;
/** Distance between the centres of marks that are side by side, as a multiple of half a mark's height. */
const SIDE = 2.3;
/** Width of a bucket above which bars are separated by gaps, in pixels. */
const APART_PX = 6;

/** @typedef {{live: number[], expire: number[], cascade: number[], reject: number[], finding?: number[], cost: number[]}} Row figures of a lane by bucket: pending timers, numbers of events of four kinds, and the cost of the costliest tick */
/** @typedef {{context: CanvasRenderingContext2D, span: import("./span.js").Span, bucket: number, palette: any}} Sheet where and how to draw: bucket is the length of a bucket in ticks, palette the colours of the theme */

/**
 * Draws all rows.
 * @param {Sheet} sheet @param {Row[]} rows @param {number} height height of all rows, in pixels
 * @param {number} computed tick up to which the run is computed
 */
export function drawRows(sheet, rows, height, computed) {
  const { context, span, palette } = sheet;
  const raster = new Raster(context, span.width, height, devicePixelRatio);
  const [rule, waits] = [pixelOf(palette.rule), pixelOf(palette.waits)];
  const high = height / rows.length;
  let most = 1;
  for (const row of rows) for (const n of row.live) if (n > most) most = n;
  rows.forEach((row, i) => {
    const top = i * high;
    const base = top + high * BARS;
    raster.fill(span.x(span.from), base, Math.max(0, span.x(Math.min(computed, span.to)) - span.x(span.from)), 1, rule);
    drawBars(raster, waits, sheet, row.live, base, high * BARS - 2, most);
    drawMarks(raster, sheet, row, top + high * MARKS_AT, Math.min(MARK_PX, high * MARK_SHARE));
    drawWorst(raster, sheet, row.cost, base, Math.min(MARK_PX, high * MARK_SHARE));
  });
  raster.show();
}

/** Returns the visible buckets, [first, last]. @param {Sheet} sheet @param {number} length */
function shown({ span, bucket }, length) {
  return [Math.max(0, Math.floor(span.from / bucket) - 1), Math.min(length - 1, Math.ceil(span.to / bucket) + 1)];
}

/**
 * Draws the pending timers of a lane as bars.
 * @param {Raster} raster @param {number} pixel @param {Sheet} sheet @param {number[]} live pending timers by bucket
 * @param {number} base vertical position of the lower edge @param {number} high maximum height of a bar
 * @param {number} most number of timers that a bar of this height represents
 */
function drawBars(raster, pixel, sheet, live, base, high, most) {
  const { span, bucket } = sheet;
  const [first, last] = shown(sheet, live.length);
  const wide = span.x(span.from + bucket) - span.x(span.from);
  const gap = wide > APART_PX ? 1 : 0;
  for (let k = first; k <= last; k++) {
    let n = live[k];
    const left = edge(span, (k - 0.5) * bucket);
    while (k < last && edge(span, (k + 0.5) * bucket) === left) n = Math.max(n, live[++k]); // a column of pixels shows its maximum
    if (n === 0) continue;
    const tall = Math.max(1, Math.round(high * (n / most)));
    raster.fill(left, Math.round(base) - tall, Math.max(1, edge(span, (k + 0.5) * bucket) - left - gap), tall, pixel);
  }
}

/**
 * Returns the position at which a bar begins or ends, rounded to a pixel, since whole pixels are filled
 * fastest.
 * @param {import("./span.js").Span} span @param {number} tick
 */
function edge(span, tick) {
  return Math.round(Math.min(span.width, Math.max(0, span.x(tick))));
}

/** Draws the marks of a lane's events. @param {Raster} raster @param {Sheet} sheet @param {Row} row @param {number} y @param {number} r */
function drawMarks(raster, sheet, row, y, r) {
  const { span, bucket, palette } = sheet;
  const [first, last] = shown(sheet, row.live.length);
  const wide = span.x(span.from + bucket) - span.x(span.from);
  for (const { what, colour, draw } of EVENT_MARKS) {
    const counts = row[what] ?? [];
    const mark = stampOf(what, draw, r, palette[colour], raster.scale);
    let before = -Infinity;
    for (let k = first; k <= last; k++) {
      if (!counts[k]) continue;
      const aside = beside(row, what, k, bucket, wide, r);
      if (aside === null) continue;
      const x = span.x(k * bucket) + aside;
      if (x - before < NEXT * r || x < 0 || x > span.width) continue;
      before = x;
      raster.put(mark, x, y);
    }
  }
}

/**
 * Returns the horizontal offset of a mark from its bucket, or null if the mark is not drawn. The marks of a
 * bucket are side by side if there is space. Otherwise, only the last one in EVENT_MARKS is drawn if the bucket
 * is a single tick, and the marks of a longer bucket are drawn on top of each other.
 * @param {Row} row @param {string} what kind of events @param {number} k index of the bucket
 * @param {number} bucket length of a bucket in ticks @param {number} wide width of a bucket
 * @param {number} r half the height of a mark
 */
function beside(row, what, k, bucket, wide, r) {
  if (bucket > 1 && wide < 2 * SIDE * r) return 0; // there are thousands
  const there = EVENT_MARKS.filter((s) => row[s.what]?.[k]);
  if (there.length === 1) return 0;
  if (wide < there.length * SIDE * r) return bucket === 1 && what !== there[there.length - 1].what ? null : 0;
  return (there.findIndex((s) => s.what === what) - (there.length - 1) / 2) * SIDE * r;
}

/** Marks the costliest tick of a lane in the run. @param {Raster} raster @param {Sheet} sheet @param {number[]} cost @param {number} base @param {number} r */
function drawWorst(raster, { span, bucket, palette }, cost, base, r) {
  const k = worstAt(cost);
  const x = span.x(k * bucket);
  if (!cost[k] || x < 0 || x > span.width) return;
  raster.put(stampOf("worst", diamond, r, palette.ink, raster.scale), x, base - r - 1);
}

/** Returns the index of the first bucket with the highest cost. @param {number[]} cost */
export function worstAt(cost) {
  let best = 0;
  for (let k = 1; k < cost.length; k++) if (cost[k] > cost[best]) best = k;
  return best;
}

/** Combines all lanes into one row. @param {Row[]} rows @returns {Row} */
export function together(rows) {
  const add = (/** @type {keyof Row} */ what) => {
    const total = new Array(rows[0]?.live.length ?? 0).fill(0);
    for (const row of rows) row[what]?.forEach((n, i) => { total[i] += n; });
    return total;
  };
  return { live: add("live"), expire: add("expire"), cascade: add("cascade"), reject: add("reject"), finding: add("finding"), cost: add("cost") };
}
