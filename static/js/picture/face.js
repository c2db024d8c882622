// @ts-check
/**
 * The geometry of a wheel as rings, in a square of 400 units: radii, sectors, positions of timers, and the way from one
 * position to another. All levels are there from the start, so that a level that comes into use moves nothing.
 */
import { CENTRE, FACE_COLUMNS, FACE_DOT, FACE_HUB_MANY, FACE_HUB_ONE, FACE_HUB_TWO, FACE_LABEL, FACE_LAST, FACE_LEAST, FACE_MIDDLE, FACE_RIM } from "./dimensions.js";

export const TAU = 2 * Math.PI;
/** Least width of the outline of a slot, in units. */
const SEEN = 3;
/** Number of slots of a ring above which their borders are not drawn. */
const SPOKES_MAX = 256;

/** @typedef {{x: number, y: number, r: number}} Spot position and radius of a dot */
/** @typedef {{inner: number, outer: number, slots: number, width: number}} Ring */

/** Rounds a coordinate to hundredths, in a picture that is magnified z times. @param {number} v @param {number} [z] */
export const fix = (v, z = 1) => Math.round(v * 100 * z + 1e-6) / (100 * z);
/** @param {number} a @param {number} b @param {number} u */
export const mix = (a, b, u) => a + (b - a) * u;
/** Returns a modulo n, from 0 to n. @param {number} a @param {number} n */
export const mod = (a, n) => ((a % n) + n) % n;
/** @param {number} x @param {number} low @param {number} high */
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
/** Cubic in and out. @param {number} u */
export const ease = (u) => (u <= 0 ? 0 : u >= 1 ? 1 : u < 0.5 ? 4 * u * u * u : 1 - (2 - 2 * u) ** 3 / 2);

/** Returns the radius of the hub. @param {number} rings */
export function hubRadius(rings) {
  return FACE_RIM * (rings <= 1 ? FACE_HUB_ONE : rings === 2 ? FACE_HUB_TWO : FACE_HUB_MANY);
}

/** @type {WeakMap<number[][], Ring[]>} */
const made = new WeakMap();

/**
 * Returns the rings of a wheel, the finest first. Levels that do not exist yet have the geometry that they would have.
 * @param {number[][]} levels [level, slots, width] of the levels that exist; it does not change
 * @param {number} [count] number of rings, if it is not that of the levels
 * @returns {Ring[]}
 */
export function ringsOf(levels, count) {
  const known = levels.filter(([level]) => level >= 0);
  count ??= known.length;
  const old = made.get(levels);
  if (old?.length === count) return old;
  const weights = Array.from({ length: count }, (_, l) => (l === 0 ? 1 : l === count - 1 && count > 2 ? FACE_LAST : FACE_MIDDLE));
  const unit = (FACE_RIM - hubRadius(count)) / weights.reduce((a, b) => a + b, 0);
  /** @type {Ring[]} */
  const rings = [];
  let outer = FACE_RIM;
  for (let l = 0; l < count; l++) {
    const last = rings[l - 1];
    const [slots, width] = known[l] ? [known[l][1], known[l][2]] : [last?.slots ?? 1, (last?.slots ?? 1) * (last?.width ?? 1)];
    rings.push({ outer, inner: outer - unit * weights[l], slots, width });
    outer -= unit * weights[l];
  }
  made.set(levels, rings);
  return rings;
}

/** Returns the angle of a position in slots; slot 0 is at the top. @param {number} p @param {number} slots */
export const angle = (p, slots) => (p / slots) * TAU - TAU / 4;

/** @param {number} r @param {number} p position in slots @param {number} slots @returns {[number, number]} */
export function point(r, p, slots) {
  const a = angle(p, slots);
  return [CENTRE + r * Math.cos(a), CENTRE + r * Math.sin(a)];
}

/** Returns a point as text. @param {number} r @param {number} p @param {number} slots @param {number} [z] */
const at = (r, p, slots, z) => point(r, p, slots).map((v) => fix(v, z)).join(" ");

/** Returns the outline of a slot as an SVG path, at least SEEN wide. @param {Ring} ring @param {number} slot @param {number} [z] magnification */
export function sector({ inner, outer, slots }, slot, z = 1) {
  if (slots === 1) return annulus(inner, outer);
  const half = Math.max(0.5, (SEEN * slots) / (2 * TAU * outer * z));
  const [from, to] = [slot - half, slot + half];
  return `M${at(outer, from, slots, z)}A${fix(outer)} ${fix(outer)} 0 0 1 ${at(outer, to, slots, z)}L${at(inner, to, slots, z)}A${fix(inner)} ${fix(inner)} 0 0 0 ${at(inner, from, slots, z)}Z`;
}

/** Returns the outline of a ring as an SVG path. @param {number} inner @param {number} outer */
export function annulus(inner, outer) {
  const circle = (/** @type {number} */ r, /** @type {number} */ sweep) => `M${fix(CENTRE - r)} ${CENTRE}a${fix(r)} ${fix(r)} 0 1 ${sweep} ${fix(2 * r)} 0a${fix(r)} ${fix(r)} 0 1 ${sweep} ${fix(-2 * r)} 0Z`;
  return circle(outer, 1) + circle(inner, 0);
}

/** Returns the borders between the slots of a ring as an SVG path. @param {Ring} ring */
export function spokes({ inner, outer, slots }) {
  if (slots < 2 || slots > SPOKES_MAX) return "";
  let path = "";
  for (let s = 0; s < slots; s++) path += `M${at(inner, s - 0.5, slots)}L${at(outer, s - 0.5, slots)}`;
  return path;
}

/** Returns the position of a slot's number. @param {number} slot @param {number} slots @param {number} [away] additional distance from the rim */
export const labelPoint = (slot, slots, away = 0) => point(FACE_RIM + FACE_LABEL + away, slot, slots);

/** @type {Map<string, {columns: number, rows: number, r: number}>} */
const grids = new Map();

/**
 * Returns the arrangement of dots in a slot for which they are largest. In a slot that is too narrow for a visible dot, they
 * extend beyond it.
 * @param {Ring} ring @param {number} count @param {number} z magnification
 */
function grid({ inner, outer, slots }, count, z) {
  const key = `${inner}/${outer}/${slots}/${count}/${z}`;
  let best = grids.get(key);
  if (best) return best;
  const [thick, wide] = [outer - inner, (((inner + outer) / 2) * TAU) / slots];
  for (let columns = 1; columns <= FACE_COLUMNS; columns++) {
    const rows = Math.ceil(count / columns);
    const breadth = (wide * 0.86) / (columns * 2.2);
    const r = Math.min((thick * 0.92) / (rows * 2.3), columns === 1 ? Math.max(breadth, FACE_LEAST / z) : breadth, FACE_DOT);
    if (!best || r > best.r + 0.01) best = { columns, rows, r };
  }
  if (grids.size > 4096) grids.clear();
  grids.set(key, /** @type {any} */ (best));
  return /** @type {{columns: number, rows: number, r: number}} */ (best);
}

/** @typedef {{rows: number, cols: number, cell: number}} Grid numbers of rows and columns of a grid of dots, and the size of a cell in units */

/**
 * Returns the grid of at least `count` cells in an area of depth × breadth units whose cells are as large as
 * possible, but at most `most` units wide.
 * @param {number} count @param {number} depth @param {number} breadth @param {number} most @returns {Grid}
 */
export function fit(count, depth, breadth, most) {
  let best = { rows: 1, cols: Math.max(count, 1), cell: 0 };
  for (let rows = 1; rows <= count; rows++) {
    const cols = Math.ceil(count / rows);
    const cell = Math.min(depth / rows, breadth / cols, most);
    if (cell > best.cell) best = { rows, cols, cell };
    if (depth / rows < best.cell) break;
  }
  return best;
}

/**
 * Returns the position of the timer at `index` of `count` in a slot.
 * @param {Ring} ring @param {number} slot @param {number} index @param {number} count @param {number} [z] magnification @returns {Spot}
 */
export function slotSpot(ring, slot, index, count, z = 1) {
  const { columns, rows, r } = grid(ring, count, z);
  const row = Math.floor(index / columns);
  const inRow = row < rows - 1 ? columns : count - row * columns || columns;
  const radius = (ring.inner + ring.outer) / 2 + ((rows - 1) / 2 - row) * 2.25 * r;
  const p = slot + (((index % columns) - (inRow - 1) / 2) * 2.2 * r * ring.slots) / (radius * TAU);
  const [x, y] = point(radius, p, ring.slots);
  return { x, y, r };
}

/**
 * Returns the way from one place to another along the rings: the shorter way round, never across the hub.
 * @param {{x: number, y: number}} a @param {{x: number, y: number}} b @returns {(u: number) => [number, number]}
 */
export function alongRings(a, b) {
  const from = Math.atan2(a.y - CENTRE, a.x - CENTRE);
  const turn = mod(Math.atan2(b.y - CENTRE, b.x - CENTRE) - from + Math.PI, TAU) - Math.PI;
  const [ra, rb] = [Math.hypot(a.x - CENTRE, a.y - CENTRE), Math.hypot(b.x - CENTRE, b.y - CENTRE)];
  return (u) => {
    const w = ra < rb ? u ** 2.2 : 1 - (1 - u) ** 2.2; // it leaves the inner ring late, and enters it early
    const [r, q] = [mix(ra, rb, w), from + turn * u];
    return [CENTRE + r * Math.cos(q), CENTRE + r * Math.sin(q)];
  };
}

/**
 * Returns the ring and the position in slots at a point, or null outside the rings.
 * @param {Ring[]} rings @param {number} x @param {number} y
 */
export function ringAt(rings, x, y) {
  const radius = Math.hypot(x - CENTRE, y - CENTRE);
  const level = rings.findIndex((ring) => radius <= ring.outer && radius > ring.inner);
  if (level < 0) return null;
  const { slots } = rings[level];
  const p = mod(((Math.atan2(y - CENTRE, x - CENTRE) + TAU / 4) / TAU) * slots + 0.5, slots);
  return { level, slot: Math.floor(p), part: p % 1 };
}
