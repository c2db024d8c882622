// @ts-check
/**
 * Computes the positions of timers in a lane's picture, whose form is rings, rows, slices, list or heap.
 * Positions depend only on the state and the cursor. This module must agree with templates/geometry.go. Both
 * read static/picture.json.
 */
import { CENTRE, DOT_MAX, DOT_MIN, EDGES_MAX, HEAP_DOT, HEAP_HIGH, HEAP_LEFT, HEAP_PITCH, HEAP_TOP, HEAP_WIDE, LIST_COLUMNS, LIST_HIGH, LIST_LEFT, LIST_ROOMY, LIST_TOP, LIST_WIDE,
  SIDE_HIGH, SIDE_LEFT, SIDE_TOP, SIDE_WIDE, SLOT_MARGIN, STAGGER_MANY, STAGGER_MAX, STAGGER_WIDE } from "./dimensions.js";
import { dotRadii, fit, fix, handPath, ringRadii, slotAngle } from "./geometry.js";
import { cellAt, cellPath, rowSpot } from "./rows.js";
import { ringCount } from "../state/lane-state.js";
import { sliceSpot } from "./slices.js";

/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./geometry.js").Grid} Grid */

/** @typedef {{middle: number, grid: Grid}} Room the grid of the dots in a slot, and its distance from the centre of the rings, in units */

/** @type {Map<string, Room>} cached layouts of slots */
const rooms = new Map();
const ROOMS_MAX = 4096;

/**
 * Returns the grid of the dots in a slot, and its distance from the centre of the rings. If a slot is too narrow
 * for a visible dot, the ring is divided into k bands, and the dots of k adjacent slots are in different bands. If
 * that is not enough, dots have the minimum visible size and overlap adjacent slots.
 * @param {number} inner @param {number} outer @param {number} slot @param {number} slots
 * @param {number} count @param {number} cell maximum size of a cell
 * @param {number} zoom magnification of the picture
 * @returns {Room}
 */
function room(inner, outer, slot, slots, count, cell, zoom) {
  const key = `${inner}/${outer}/${slots}/${slot % 12}/${count}/${cell}/${zoom}`; // 12: all bands of 1 to 4 neighbours
  let best = rooms.get(key);
  if (best) return best;
  best = { middle: 0, grid: { rows: 1, cols: 1, cell: 0 } };
  const margin = SLOT_MARGIN / zoom;
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

/**
 * Returns the maximum size of a cell in a lane with the given number of timers. The limit keeps the dots of a
 * lane similar in size.
 * @param {number} timers
 */
function cellMost(timers) {
  if (timers <= 60) return 2 * DOT_MAX + 4;
  return timers <= 250 ? 24 : 13;
}

/**
 * Returns the minimum size of a cell in a lane whose maximum is `most`. It applies to slots that are deep
 * enough, so that a few timers are visible on the finest ring as well.
 * @param {number} most
 */
function cellLeast(most) {
  if (most > 24) return 9;
  return most > 13 ? 5 : 1;
}

/**
 * Returns a function from a timer's index in a slot to its position.
 * @param {number} level @param {number} levels @param {number} slot @param {number} slots
 * @param {number} count @param {number} most maximum size of a cell
 * @param {number} turn rotation of the level in radians, if the dial turns
 * @param {number} zoom magnification, since magnified pictures show finer details
 * @returns {(index: number) => Spot}
 */
function ringSpots(level, levels, slot, slots, count, most, turn, zoom) {
  const [inner, outer] = dotRadii(level, levels);
  const { middle, grid: { rows, cols, cell } } = room(inner, outer, slot, slots, count, most, zoom);
  const r = Math.max(DOT_MIN / zoom, cell * 0.45);
  return (index) => {
    const radius = middle - ((index % rows) - (rows - 1) / 2) * cell;
    const angle = slotAngle(slot, slots) - turn + ((Math.floor(index / rows) - (cols - 1) / 2) * cell) / middle;
    return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle), r };
  };
}

/** Returns the position of the timer at `index` of `count` in a list. @param {number} index @param {number} count @returns {Spot} */
function listSpot(index, count) {
  if (count <= LIST_ROOMY) {
    const cell = LIST_WIDE / LIST_COLUMNS;
    return { x: LIST_LEFT + cell * ((index % LIST_COLUMNS) + 0.5), y: LIST_TOP + 84 * (Math.floor(index / LIST_COLUMNS) + 0.3), r: 23 };
  }
  const { cols, cell } = fit(count, LIST_HIGH, LIST_WIDE, 40);
  return { x: LIST_LEFT + cell * ((index % cols) + 0.5), y: LIST_TOP + cell * (Math.floor(index / cols) + 0.5), r: Math.max(DOT_MIN, cell * 0.45) };
}

/**
 * Returns the depth of a node in a heap, the first index at that depth, and the number of nodes there.
 * @param {number} index @param {number} arity
 */
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
function heapSpot(index, count, arity) {
  const { depth, first, row } = heapDepth(index, arity);
  const last = heapDepth(Math.max(count - 1, 0), arity);
  const pitch = Math.min(HEAP_PITCH, HEAP_HIGH / (last.depth + 1));
  const r = Math.min(HEAP_DOT, (HEAP_WIDE / row) * 0.45, pitch * 0.4);
  return { x: HEAP_LEFT + (HEAP_WIDE * (index - first + 0.5)) / row, y: HEAP_TOP + pitch * depth, r: Math.max(DOT_MIN, r) };
}

/** Returns the position of the timer at `index` of `count` in a side list, in the corner below the rings. @param {number} index @param {number} count @returns {Spot} */
function sideSpot(index, count) {
  const { cols, cell } = fit(count, SIDE_HIGH, SIDE_WIDE, 22);
  return { x: SIDE_LEFT + cell * ((index % cols) + 0.5), y: SIDE_TOP + cell * (Math.floor(index / cols) + 0.5), r: Math.max(DOT_MIN, cell * 0.45) };
}

/**
 * @typedef {object} Form values, other than the place, on which positions in a picture depend
 * @property {string} shape @property {number} arity @property {number[][]} levels
 * @property {number} size number of nodes of a heap, or of timers of another lane
 * @property {number} [rows] number of rows drawn, for a lane in rows
 * @property {number} [zoom] magnification of the picture, a power of two
 * @property {import("./slices.js").Slices} [slices] slices, for a lane in slices
 * @property {number[]} [turns] rotation of each level, if the dials turn; see turnOf
 */

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

/**
 * Returns the centre of a place, in units. In a list or a heap, the place is the timer at index `slot`.
 * @param {Form} form @param {number} level @param {number} slot @returns {Spot}
 */
export function middleOf(form, level, slot) {
  if (form.shape === "list") return listSpot(slot, form.size);
  return spotsOf({ ...form, zoom: 1, size: form.shape === "heap" ? form.size : 1 }, { level, slot, count: 1 })(0);
}

/** Returns the outline of a slot of a ring or of a cell of a row, as an SVG path. @param {Form} form @param {number} level @param {number} slot */
export function outlineOf(form, level, slot) {
  if (form.shape === "rows") return cellPath(form, level, slot);
  return handPath(level, ringCount(form.levels), slot, form.levels[level][1], 1, form.turns?.[level] ?? 0);
}

/**
 * Returns the slot of a ring at a point of the picture, or null outside the rings.
 * @param {Form} form @param {number} x @param {number} y
 */
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

/**
 * Returns an SVG path that connects the nodes of a heap, or the timers of a short list.
 * @param {string} shape @param {number} size @param {number} arity
 */
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
