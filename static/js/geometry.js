// @ts-check
/**
 * Positions in a lane's picture, a square of 400 units. They depend on (state, cursor)
 * only. templates/geometry.go is the same in Go: change both together.
 */

import { cellAt, rowSpot } from "./pictures/rows.js";
import { sliceSpot } from "./pictures/redis.js";

/** Centre of a picture. */
export const CENTRE = 200;
const RIM = 166; // outer radius of the finest level
const LABEL_ROOM = 18; // distance from the rim to the centre of a slot's number
const LONG_ROOM = 4; // horizontal distance from the rim to the near end of a long number
const LONG_ABOVE = 16; // vertical distance from the rim to the centre of a long number
/** Rings with more slots than this have long numbers. */
export const LONG_MIN = 100;
const DOT_MAX = 20; // radius of a timer
const DOT_MIN = 0.8;
const LINES_MAX = 180; // maximum slots of a ring with individual borders
const LABELS_MAX = 24; // maximum slots of a ring that are all numbered
const INNER_MAX = 16; // maximum numbered slots of an inner ring
const MARGIN = 2; // free space inside a slot's border
const LIST_COLUMNS = 4;
/** Maximum number of timers of a list that is drawn large, with due ticks. */
export const LIST_ROOMY = 16;
/** Minimum radius of a dot with a label. */
export const LABEL_RADIUS = 6;
/** Minimum radius of a dot with a badge. */
export const BADGE_RADIUS = 10.5;
/** Maximum number of heap nodes whose edges are drawn. */
const EDGES_MAX = 255;

/** @typedef {{x: number, y: number, r: number}} Spot */

/** Returns the radius of the middle, where the time is shown. @param {number} levels */
export function holeRadius(levels) {
  return levels <= 1 ? 80 : levels === 2 ? 60 : 46;
}

/** Returns the inner and outer radius of a level; the finest is outermost. @param {number} level @param {number} levels @returns {[number, number]} */
export function ringRadii(level, levels) {
  const thick = (RIM - holeRadius(levels)) / Math.max(levels, 1);
  const outer = RIM - level * thick;
  return [outer - thick, outer];
}

/** Returns the angle of a slot's centre in radians, clockwise; slot 0 is at the top. @param {number} slot @param {number} slots */
export function slotAngle(slot, slots) {
  return (2 * Math.PI * slot) / slots - Math.PI / 2;
}

/** @param {number} radius @param {number} angle @returns {[number, number]} */
function polar(radius, angle) {
  return [CENTRE + radius * Math.cos(angle), CENTRE + radius * Math.sin(angle)];
}

/** @typedef {{rows: number, cols: number, cell: number}} Grid */

/** Returns the grid with the largest cells that holds count dots. @param {number} count @param {number} depth @param {number} breadth @param {number} most @returns {Grid} */
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

// Narrow adjacent slots with few timers share their space.
const STAGGER_MAX = 4; // slots that share
const STAGGER_WIDE = 26; // units: wider slots do not share
const STAGGER_MANY = 3; // timers: fuller slots do not share

/** @typedef {{middle: number, grid: Grid}} Room */

/** @type {Map<string, Room>} cached layouts of slots */
const rooms = new Map();
const ROOMS_MAX = 4096;

/**
 * Returns the layout of one slot's dots: the radius of its centre and the grid. Slots too
 * narrow for a visible dot share their width and divide the depth: each of k neighbours
 * uses one of k bands. If that is not enough, dots have the minimum visible size and
 * overlap adjacent slots.
 * @param {number} inner @param {number} outer @param {number} slot @param {number} slots @param {number} count @param {number} cell the largest
 * @param {number} zoom magnification of the picture
 * @returns {Room}
 */
function room(inner, outer, slot, slots, count, cell, zoom) {
  const key = `${inner}/${outer}/${slots}/${slot % 12}/${count}/${cell}/${zoom}`; // 12: all bands of 1 to 4 neighbours
  let best = rooms.get(key);
  if (best) return best;
  best = { middle: 0, grid: { rows: 1, cols: 1, cell: 0 } };
  const margin = MARGIN / zoom;
  const depth = outer - inner - 2 * margin;
  const alone = count > STAGGER_MANY || ((Math.PI * (inner + outer)) / slots) * zoom > STAGGER_WIDE;
  const most = alone ? 1 : Math.min(STAGGER_MAX, slots);
  for (let k = 1; k <= most; k++) {
    const band = depth / k;
    const middle = outer - margin - band * ((slot % k) + 0.5);
    const breadth = Math.max(((2 * Math.PI * middle) / slots) * k - 2 * margin, 1 / zoom);
    const grid = k === 1
      ? fit(count, band, breadth, cell)
      : { rows: count, cols: 1, cell: Math.min(band / count, breadth, cell) }; // the centre of a dot stays in its slot
    if (grid.cell > best.grid.cell * 1.15) best = { middle, grid };
  }
  const least = cellLeast(cell) / zoom;
  const k = Math.max(1, Math.min(most, Math.floor(depth / (count * least))));
  const band = depth / k;
  const seen = Math.min(band / count, least);
  if (seen > best.grid.cell) best = { middle: outer - margin - band * ((slot % k) + 0.5), grid: { rows: count, cols: 1, cell: seen } };
  if (rooms.size >= ROOMS_MAX) rooms.clear();
  rooms.set(key, best);
  return best;
}

/** Returns the maximum cell size in a lane with so many timers; it keeps the dots of a lane similar in size. @param {number} timers */
function cellMost(timers) {
  if (timers <= 60) return 2 * DOT_MAX + 4;
  return timers <= 250 ? 24 : 13;
}

/** Returns the minimum cell size for a maximum one, if the slot is deep enough, so that few timers are visible on the finest ring too. @param {number} most */
function cellLeast(most) {
  if (most > 24) return 9;
  return most > 13 ? 5 : 1;
}

/**
 * Returns a function from a timer's index in a slot to its position.
 * @param {number} level @param {number} levels @param {number} slot @param {number} slots @param {number} count @param {number} most largest cell
 * @param {number} turn rotation of the level in radians, if the dial turns
 * @param {number} zoom magnification of the picture: larger pictures show finer details
 * @returns {(index: number) => Spot}
 */
function ringSpots(level, levels, slot, slots, count, most, turn, zoom) {
  const [inner, outer] = ringRadii(level, levels);
  const { middle, grid: { rows, cols, cell } } = room(inner, outer, slot, slots, count, most, zoom);
  const r = Math.max(DOT_MIN / zoom, cell * 0.45);
  return (index) => {
    const radius = middle - ((index % rows) - (rows - 1) / 2) * cell;
    const angle = slotAngle(slot, slots) - turn + ((Math.floor(index / rows) - (cols - 1) / 2) * cell) / middle;
    return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle), r };
  };
}

/** Returns the position of timer index of count in a list. @param {number} index @param {number} count @returns {Spot} */
export function listSpot(index, count) {
  const [left, top, wide, high] = [24, 64, 352, 316];
  if (count <= LIST_ROOMY) {
    const cell = wide / LIST_COLUMNS;
    return { x: left + cell * ((index % LIST_COLUMNS) + 0.5), y: top + 84 * (Math.floor(index / LIST_COLUMNS) + 0.3), r: 23 };
  }
  const { cols, cell } = fit(count, high, wide, 40);
  return { x: left + cell * ((index % cols) + 0.5), y: top + cell * (Math.floor(index / cols) + 0.5), r: Math.max(DOT_MIN, cell * 0.45) };
}

/** Returns the row of a heap's node: its number, first index and width. @param {number} index @param {number} arity */
function heapDepth(index, arity) {
  let [depth, first, row] = [0, 0, 1];
  while (index >= first + row) {
    first += row;
    row *= Math.max(arity, 2);
    depth++;
  }
  return { depth, first, row };
}

/** Returns the position of the node at index in a tree of count nodes. @param {number} index @param {number} count @param {number} arity @returns {Spot} */
export function heapSpot(index, count, arity) {
  const { depth, first, row } = heapDepth(index, arity);
  const last = heapDepth(Math.max(count - 1, 0), arity);
  const pitch = Math.min(84, 310 / (last.depth + 1));
  const r = Math.min(24, (368 / row) * 0.45, pitch * 0.4);
  return { x: 16 + (368 * (index - first + 0.5)) / row, y: 72 + pitch * depth, r: Math.max(DOT_MIN, r) };
}

/** Returns the position of timer index of count in a side list, in the corner below the rings. @param {number} index @param {number} count @returns {Spot} */
function sideSpot(index, count) {
  const [left, top, wide, high] = [4, 347, 60, 36];
  const { cols, cell } = fit(count, high, wide, 22);
  return { x: left + cell * ((index % cols) + 0.5), y: top + cell * (Math.floor(index / cols) + 0.5), r: Math.max(DOT_MIN, cell * 0.45) };
}

/** Returns the number of levels drawn as rings. @param {number[][]} levels */
export function ringCount(levels) {
  return levels.filter(([level]) => level >= 0).length;
}

/**
 * @typedef {object} Form what positions in a picture depend on, apart from the place
 * @property {string} shape @property {number} arity @property {number[][]} levels
 * @property {number} size nodes of a heap, timers of another lane
 * @property {number} [rows] number of rows drawn, for a lane in rows
 * @property {number} [zoom] magnification of the picture, a power of two
 * @property {import("./pictures/redis.js").Slices} [slices] of a lane in slices
 * @property {number[]} [turns] by level, if the dial turns: see turnOf
 */

/** Returns the rotation, in radians, that puts the slot under a level's hand at the top. @param {number} hand @param {number} slots */
export function turnOf(hand, slots) {
  return slots > 0 && hand > 0 ? (2 * Math.PI * hand) / slots : 0;
}

/**
 * Returns a function from a timer's index in a place to its position.
 * @param {Form} form
 * @param {{level: number, slot: number, count: number}} place
 * @returns {(index: number) => Spot}
 */
export function spotsOf(form, place) {
  const { level, slot, count } = place;
  if (form.shape === "list") return (index) => listSpot(index, count);
  if (form.shape === "heap") return () => heapSpot(slot, form.size, form.arity);
  const { slices } = form;
  if (slices) return (index) => sliceSpot(slices, form.size, place, index);
  if (level < 0) return (index) => sideSpot(index, count);
  if (form.shape === "rows") return (index) => rowSpot(form, level, slot, count, index);
  return ringSpots(level, ringCount(form.levels), slot, form.levels[level][1], count, cellMost(form.size), form.turns?.[level] ?? 0, form.zoom ?? 1);
}

/** Returns the centre of a place in units; in a list, of the timer at an index. @param {Form} form @param {number} level @param {number} slot @returns {Spot} */
export function middleOf(form, level, slot) {
  if (form.shape === "list") return listSpot(slot, form.size);
  return spotsOf({ ...form, zoom: 1, size: form.shape === "heap" ? form.size : 1 }, { level, slot, count: 1 })(0);
}

/** Returns the ring slot at a point of the picture; null outside the rings. @param {Form} form @param {number} x @param {number} y */
export function slotAt(form, x, y) {
  if (form.shape === "rows") return cellAt(form, x, y);
  const { levels, turns } = form;
  const radius = Math.hypot(x - CENTRE, y - CENTRE);
  const count = ringCount(levels);
  for (let level = 0; level < count; level++) {
    const [inner, outer] = ringRadii(level, count);
    if (radius < inner || radius > outer) continue;
    const slots = levels[level][1];
    const turn = (Math.atan2(y - CENTRE, x - CENTRE) + Math.PI / 2 + (turns?.[level] ?? 0)) / (2 * Math.PI);
    return { level, slot: ((Math.round(turn * slots) % slots) + slots) % slots };
  }
  return null;
}

/** Rounds a coordinate to one decimal, or more if the picture is magnified. @param {number} v @param {number} [zoom] */
export function fix(v, zoom = 1) {
  return String(Math.round(v * 10 * zoom) / (10 * zoom));
}

/** Returns the font size of a dot's label, reduced for three digits so that they do not extend past the dot; labelSize in templates/dots.go. @param {number} r @param {string} label */
export function labelSize(r, label) {
  return [...label].length > 2 ? r * 0.85 : r;
}

/** Returns the outline of one slot. @param {number} inner @param {number} outer @param {number} from @param {number} to @param {number} zoom */
function sector(inner, outer, from, to, zoom) {
  const large = to - from > Math.PI ? 1 : 0;
  const [a, b, c, d] = [polar(outer, from), polar(outer, to), polar(inner, to), polar(inner, from)].map(([x, y]) => `${fix(x, zoom)} ${fix(y, zoom)}`);
  return `M${a}A${fix(outer)} ${fix(outer)} 0 ${large} 1 ${b}L${c}A${fix(inner)} ${fix(inner)} 0 ${large} 0 ${d}Z`;
}

/** Returns the outline of the slot under a level's hand. @param {number} level @param {number} levels @param {number} slot @param {number} slots @param {number} [zoom] */
export function handPath(level, levels, slot, slots, zoom = 1) {
  const [inner, outer] = ringRadii(level, levels);
  const half = Math.max(Math.min(Math.PI / slots, Math.PI - 0.001), 1.5 / outer / zoom);
  const mid = slotAngle(slot, slots);
  return sector(inner, outer, mid - half, mid + half, zoom);
}

/** Returns the borders between the slots of a level. @param {number} level @param {number} levels @param {number} slots */
export function bordersPath(level, levels, slots) {
  if (slots < 2 || slots > LINES_MAX) return "";
  const [inner, outer] = ringRadii(level, levels);
  let path = "";
  for (let s = 0; s < slots; s++) {
    const angle = slotAngle(s, slots) + Math.PI / slots;
    const [x1, y1] = polar(inner, angle);
    const [x2, y2] = polar(outer, angle);
    path += `M${fix(x1)} ${fix(y1)}L${fix(x2)} ${fix(y2)}`;
  }
  return path;
}

/** Returns the slot numbers of a level and their positions. @param {number} level @param {number} levels @param {number} slots @param {number} [turn] */
export function slotLabels(level, levels, slots, turn = 0) {
  let every = 1;
  let radius = RIM + LABEL_ROOM;
  if (level > 0) {
    const [inner, outer] = ringRadii(level, levels);
    if (slots > INNER_MAX || outer - inner < 30) return [];
    radius = outer - 12;
  } else if (slots > LONG_MIN) {
    return longLabels(slots, turn);
  } else if (slots > LABELS_MAX) {
    every = labelStep(slots);
  }
  const labels = [];
  for (let s = 0; s < slots && (every === 1 || s + every <= slots); s += every) {
    const angle = slotAngle(s, slots) - turn - (level > 0 ? Math.PI / slots - 13 / radius : 0);
    const [x, y] = polar(radius, angle);
    labels.push({ x, y, slot: s, side: "middle" });
  }
  return labels;
}

/**
 * Long numbers are few and large: at the top, the bottom, and the corners of the square,
 * where the ring leaves space. A rotated ring shows different slots there.
 * @param {number} slots @param {number} turn
 */
function longLabels(slots, turn) {
  return [0, 1, 3, 4, 5, 7].map((eighth) => {
    const slot = Math.floor((slots * eighth) / 8 + (turn * slots) / (2 * Math.PI) + 1e-6) % slots;
    const angle = slotAngle(slot, slots) - turn;
    const [x, y] = polar(RIM + LONG_ROOM, angle);
    const upright = eighth % 4 === 0;
    const side = upright ? "middle" : eighth < 4 ? "start" : "end"; // the near end is beside the rim
    return { x, y: y + (LONG_ABOVE - LONG_ROOM) * Math.sin(angle), slot, side };
  });
}

/** Returns the distance between two slot numbers: the smallest divisor that leaves at most twelve. @param {number} slots */
function labelStep(slots) {
  for (let step = Math.ceil(slots / 12); step <= slots / 4; step++) if (slots % step === 0) return step;
  return Math.max(Math.floor(slots / 8), 1);
}

/** Returns the edges of a heap's tree, or of a short list. @param {string} shape @param {number} size @param {number} arity */
export function edgesPath(shape, size, arity) {
  let path = "";
  const line = (/** @type {Spot} */ a, /** @type {Spot} */ b) => { path += `M${fix(a.x)} ${fix(a.y)}L${fix(b.x)} ${fix(b.y)}`; };
  if (shape === "heap" && size <= EDGES_MAX) {
    for (let i = 1; i < size; i++) line(heapSpot(Math.floor((i - 1) / Math.max(arity, 2)), size, arity), heapSpot(i, size, arity));
  }
  if (shape === "list" && size <= LIST_ROOMY) {
    for (let i = 1; i < size; i++) {
      const [a, b] = [listSpot(i - 1, size), listSpot(i, size)];
      if (a.y === b.y) line(a, b);
    }
  }
  return path;
}

/** Returns the font size at which the time fits the middle. @param {number} hole @param {string} text */
export function clockSize(hole, text) {
  return fix(Math.min(44, (2 * hole * 0.9) / (0.62 * text.length)));
}

/** Returns the font size of the second line in the middle. @param {number} hole @param {string} text */
export function waitingSize(hole, text) {
  return fix(waitingUnits(hole, text));
}

/** @param {number} hole @param {string} text */
function waitingUnits(hole, text) { return Math.min(26, (2 * hole * 0.82) / ems(text)); }

/** Returns the size class of the second line: css/pictures.css hides it if it would be illegible. @param {number} hole @param {string} text */
export function waitingClass(hole, text) {
  const size = waitingUnits(hole, text);
  return size < 12 ? "waiting finest" : size < 16 ? "waiting fine" : size < 19 ? "waiting small" : "waiting";
}

/** Returns the font sizes of the time and the pending count on one line, so that they do not overlap. @param {string} clock @param {string} waiting */
export function flushSizes(clock, waiting) {
  const scale = Math.min(1, 306 / (38 * 0.61 * clock.length + 24 * ems(waiting)));
  return [fix(38 * scale), fix(24 * scale)];
}

/** Returns the approximate width of a text, in ems. @param {string} text */
function ems(text) {
  let width = 0;
  for (const c of text) width += /** @type {number} */ (c.codePointAt(0)) > 0x2e80 ? 1 : 0.55;
  return width;
}
