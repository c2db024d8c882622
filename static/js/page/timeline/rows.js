// @ts-check
/**
 * Draws the rows of the timeline. The row of a lane has bars for the pending timers, on a scale common to all
 * lanes, and below them marks for events and for the costliest tick. The rows are redrawn when the run, the
 * visible range, the size or the colours change. The bars of a row are one path, the outline of
 * all of them, and so are its marks of one kind: a path with the marks of all rows takes ten times as long to fill.
 */

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
/** The same if there are thousands of them. */
const NEXT_CROWDED = 4;
/** Distance between the centres of marks that are side by side, as a multiple of half a mark's height. */
const SIDE = 2.3;
/** Width of a bucket above which bars are separated by gaps, in pixels. */
const APART_PX = 6;

/** @typedef {{live: number[], expire: number[], cascade: number[], reject: number[], finding?: number[], cost: number[]}} Row figures of a lane by bucket: pending timers, numbers of events of four kinds, and the cost of the costliest tick */
/** @typedef {{context: CanvasRenderingContext2D, span: import("./span.js").Span, bucket: number, palette: any}} Sheet where and how to draw: bucket is the length of a bucket in ticks, palette the colours of the theme */
/** @typedef {(path: Path2D, x: number, y: number, r: number) => void} Mark adds a mark with the centre x, y and half the height r to a path */

/**
 * The kinds of events with marks, in drawing order. Later marks cover earlier ones. timeSigns in
 * templates/timeline.templ has the same.
 * @type {{what: "expire"|"cascade"|"reject"|"finding", colour: "expiry"|"move"|"rejection"|"finding", mark: Mark}[]}
 */
const EVENT_MARKS = [
  { what: "expire", colour: "expiry", mark: polygon(Array.from({ length: 24 }, (_, i) => 0.88 * (i % 2 ? Math.sin : Math.cos)((i >> 1) * Math.PI / 6))) },
  { what: "cascade", colour: "move", mark: polygon([-1, -0.8, 1, -0.8, 0, 1]) },
  { what: "reject", colour: "rejection", mark: polygon([-0.9, -0.55, -0.55, -0.9, 0, -0.35, 0.55, -0.9, 0.9, -0.55, 0.35, 0, 0.9, 0.55, 0.55, 0.9, 0, 0.35, -0.55, 0.9, -0.9, 0.55, -0.35, 0]) },
  { what: "finding", colour: "finding", mark: polygon([-0.35, -1.2, 0.35, -1.2, 0.25, 0.35, -0.25, 0.35], [-0.35, 0.65, 0.35, 0.65, 0.35, 1.25, -0.35, 1.25]) },
];
const diamond = polygon([0, -1, 1, 0, 0, 1, -1, 0]);

/** Returns a mark of polygons. @param {number[][]} polygons x, y, … in units of half a mark's height @returns {Mark} */
function polygon(...polygons) {
  return (path, x, y, r) => {
    for (const points of polygons) {
      path.moveTo(x + points[0] * r, y + points[1] * r);
      for (let i = 2; i < points.length; i += 2) path.lineTo(x + points[i] * r, y + points[i + 1] * r);
      path.closePath();
    }
  };
}

/**
 * Draws all rows.
 * @param {Sheet} sheet @param {Row[]} rows @param {number} height height of all rows, in pixels
 * @param {number} computed tick up to which the run is computed
 */
export function drawRows(sheet, rows, height, computed) {
  const { context, span, palette } = sheet;
  const high = height / rows.length;
  let most = 1;
  for (const row of rows) for (const n of row.live) if (n > most) most = n;
  const fill = (/** @type {string} */ colour, /** @type {(path: Path2D, row: Row, top: number) => void} */ draw) => {
    context.fillStyle = colour;
    rows.forEach((row, i) => {
      const path = new Path2D();
      draw(path, row, i * high);
      context.fill(path);
    });
  };
  const r = Math.min(MARK_PX, high * MARK_SHARE);
  const ends = [span.x(span.from), Math.max(span.x(span.from), span.x(Math.min(computed, span.to)))];
  fill(palette.rule, (path, _, top) => path.rect(ends[0], Math.round(top + high * BARS), ends[1] - ends[0], 1));
  fill(palette.waits, (path, row, top) => addBars(path, sheet, row.live, Math.round(top + high * BARS), high * BARS - 2, most));
  EVENT_MARKS.forEach(({ colour, mark }, kind) => fill(palette[colour], (path, row, top) => addMarks(path, sheet, row, kind, mark, top + high * MARKS_AT, r)));
  fill(palette.ink, (path, row, top) => addWorst(path, sheet, row.cost, top + high * BARS - r - 1, r));
}

/** Returns the visible buckets, [first, last]. @param {Sheet} sheet @param {number} length */
function shown({ span, bucket }, length) {
  return [Math.max(0, Math.floor(span.from / bucket) - 1), Math.min(length - 1, Math.ceil(span.to / bucket) + 1)];
}

/**
 * Adds the pending timers of a lane as bars: their outline.
 * @param {Path2D} path @param {Sheet} sheet @param {number[]} live pending timers by bucket
 * @param {number} base vertical position of the lower edge @param {number} high maximum height of a bar
 * @param {number} most number of timers that a bar of this height represents
 */
function addBars(path, sheet, live, base, high, most) {
  const { span, bucket } = sheet;
  const [first, last] = shown(sheet, live.length);
  const zero = span.x(-bucket / 2);
  const wide = span.x(bucket / 2) - zero;
  const edge = (/** @type {number} */ k) => Math.round(Math.min(span.width, Math.max(0, zero + k * wide))); // so that bars have sharp edges
  const gap = wide > APART_PX ? 1 : 0;
  let end = 0; // of the bar before
  path.moveTo(end, base);
  for (let k = first, left = edge(first), next = 0; k <= last; k++, left = next) {
    let n = live[k];
    while ((next = edge(k + 1)) === left && k < last) n = Math.max(n, live[++k]); // a column of pixels shows its maximum
    if (n === 0) continue;
    const top = base - Math.max(1, Math.round(high * (n / most)));
    const right = Math.max(left + 1, next - gap);
    if (left !== end) {
      path.lineTo(end, base);
      path.lineTo(left, base);
    }
    path.lineTo(left, top);
    path.lineTo(right, top);
    end = right;
  }
  path.lineTo(end, base);
}

/** Adds the marks of one kind of a lane's events. @param {Path2D} path @param {Sheet} sheet @param {Row} row @param {number} kind index in EVENT_MARKS @param {Mark} mark @param {number} y @param {number} r */
function addMarks(path, sheet, row, kind, mark, y, r) {
  const { span, bucket } = sheet;
  const [first, last] = shown(sheet, row.live.length);
  const wide = span.x(span.from + bucket) - span.x(span.from);
  const counts = row[EVENT_MARKS[kind].what] ?? [];
  const crowded = bucket > 1 && wide < 2 * SIDE * r;
  let before = -Infinity;
  for (let k = first; k <= last; k++) {
    if (!counts[k]) continue;
    const aside = crowded ? 0 : beside(row, kind, k, bucket, wide, r);
    if (aside === null) continue;
    const x = span.x(k * bucket) + aside;
    if (x - before < (crowded ? NEXT_CROWDED : NEXT) * r || x < 0 || x > span.width) continue;
    before = x;
    mark(path, x, y, r);
  }
}

/**
 * Returns the horizontal offset of a mark from its bucket, or null if the mark is not drawn. The marks of a
 * bucket are side by side if there is space. Otherwise, only the last one in EVENT_MARKS is drawn if the bucket
 * is a single tick, and the marks of a longer bucket are drawn on top of each other.
 * @param {Row} row @param {number} kind index in EVENT_MARKS @param {number} k index of the bucket
 * @param {number} bucket length of a bucket in ticks @param {number} wide width of a bucket
 * @param {number} r half the height of a mark
 */
function beside(row, kind, k, bucket, wide, r) {
  const there = [...EVENT_MARKS.keys()].filter((i) => row[EVENT_MARKS[i].what]?.[k]);
  if (there.length === 1) return 0;
  if (wide < there.length * SIDE * r) return bucket === 1 && kind !== there[there.length - 1] ? null : 0;
  return (there.indexOf(kind) - (there.length - 1) / 2) * SIDE * r;
}

/** Marks the costliest tick of a lane in the run. @param {Path2D} path @param {Sheet} sheet @param {number[]} cost @param {number} y @param {number} r */
function addWorst(path, { span, bucket }, cost, y, r) {
  const k = worstAt(cost);
  const x = span.x(k * bucket);
  if (cost[k] && x >= 0 && x <= span.width) diamond(path, x, y, r);
}

/** Returns the index of the first bucket with the highest cost. @param {number[]} cost */
function worstAt(cost) {
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
