// @ts-check
/**
 * Computes the positions of timers in a lane's picture, whose form is rings, rows, slices, list or heap.
 * Positions depend only on the state and the cursor. This module must agree with templates/geometry.go. Both
 * read static/picture.json.
 */
import { DOT_MIN, EDGES_MAX, HEAP_DOT, HEAP_HIGH, HEAP_LEFT, HEAP_PITCH, HEAP_TOP, HEAP_WIDE, LIST_COLUMNS, LIST_HIGH, LIST_LEFT, LIST_ROOMY, LIST_TOP, LIST_WIDE,
  SIDE_HIGH, SIDE_LEFT, SIDE_TOP, SIDE_WIDE } from "./dimensions.js";
import { fit, fix, mod, ringAt, ringsOf, sector, slotSpot } from "./face.js";
import { cellAt, cellPath, rowSpot } from "./rows.js";
import { sliceSpot } from "./slices.js";

/** @typedef {import("./face.js").Spot} Spot */

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
export function sideSpot(index, count) {
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
 * @property {number[]} [turns] slot at the top of each level, if the dials turn
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
  return (index) => slotSpot(ringsOf(form.levels)[level], slot - (form.turns?.[level] ?? 0), index, count, form.zoom);
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
  return sector(ringsOf(form.levels)[level], slot - (form.turns?.[level] ?? 0));
}

/**
 * Returns the slot of a ring at a point of the picture, or null outside the rings.
 * @param {Form} form @param {number} x @param {number} y
 */
export function slotAt(form, x, y) {
  if (form.shape === "rows") return cellAt(form, x, y);
  const found = ringAt(ringsOf(form.levels), x, y);
  return found && { level: found.level, slot: mod(found.slot + (form.turns?.[found.level] ?? 0), form.levels[found.level][1]) };
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
