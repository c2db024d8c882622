// @ts-check
/**
 * Computes the dimensions of a lane's picture that depend on the number of levels or on a text: those of
 * rings, hands, numbers and fonts. The picture is a square of 400 units. static/picture.json contains the
 * constant dimensions. spots.js computes the positions of timers. This module must agree with
 * templates/geometry.go and templates/labels.go.
 */

import * as D from "./dimensions.js";
import { CENTRE } from "./dimensions.js";

/** @typedef {{x: number, y: number, r: number}} Spot position and radius of a dot, in units */

/** Returns the radius of the circle in the middle, where the time is shown. @param {number} levels */
export function holeRadius(levels) {
  return levels <= 1 ? 80 : levels === 2 ? 60 : 46;
}

/**
 * Returns the inner and the outer radius of a level. The finest level is the outermost ring.
 * @param {number} level @param {number} levels @returns {[number, number]}
 */
export function ringRadii(level, levels) {
  const thick = (D.RIM_RADIUS - holeRadius(levels)) / Math.max(levels, 1);
  const outer = D.RIM_RADIUS - level * thick;
  return [outer - thick, outer];
}

/** Reports whether a level's ring is thick enough for an outer part with text. @param {number} level @param {number} levels */
function hasBand(level, levels) {
  const [inner, outer] = ringRadii(level, levels);
  return outer - inner >= D.BAND_LEAST;
}

/** Returns the inner and outer radius of the part of a level's ring that shows timers. @param {number} level @param {number} levels @returns {[number, number]} */
export function dotRadii(level, levels) {
  const [inner, outer] = ringRadii(level, levels);
  return [inner, hasBand(level, levels) ? outer - D.BAND_WIDE : outer];
}

/**
 * Returns the angle of a slot's centre, in radians. Slot 0 is at the top, and slots are numbered clockwise.
 * @param {number} slot @param {number} slots
 */
export function slotAngle(slot, slots) {
  return (2 * Math.PI * slot) / slots - Math.PI / 2;
}

/** Converts polar coordinates around the centre of the picture to x and y. @param {number} radius @param {number} angle @returns {[number, number]} */
function polar(radius, angle) {
  return [CENTRE + radius * Math.cos(angle), CENTRE + radius * Math.sin(angle)];
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

/** Returns the rotation, in radians, that puts the slot under a level's hand at the top. @param {number} hand @param {number} slots */
export function turnOf(hand, slots) {
  return slots > 0 && hand > 0 ? (2 * Math.PI * hand) / slots : 0;
}

/**
 * Formats a coordinate with one decimal, or more if the picture is magnified.
 * @param {number} v @param {number} [zoom]
 */
export function fix(v, zoom = 1) {
  return String(Math.round(v * 10 * zoom) / (10 * zoom));
}

/**
 * Returns the outline of a sector of a ring as an SVG path.
 * @param {number} inner inner radius @param {number} outer outer radius @param {number} from first angle, in radians
 * @param {number} to last angle, in radians @param {number} zoom
 */
function sector(inner, outer, from, to, zoom) {
  const large = to - from > Math.PI ? 1 : 0;
  const [a, b, c, d] = [polar(outer, from), polar(outer, to), polar(inner, to), polar(inner, from)].map(([x, y]) => `${fix(x, zoom)} ${fix(y, zoom)}`);
  return `M${a}A${fix(outer)} ${fix(outer)} 0 ${large} 1 ${b}L${c}A${fix(inner)} ${fix(inner)} 0 ${large} 0 ${d}Z`;
}

/**
 * Returns the outline of the slot under a level's hand as an SVG path.
 * @param {number} level @param {number} levels @param {number} slot @param {number} slots @param {number} [zoom]
 * @param {number} [turn] rotation of the level
 */
export function handPath(level, levels, slot, slots, zoom = 1, turn = 0) {
  const [inner, outer] = ringRadii(level, levels);
  const half = Math.max(Math.min(Math.PI / slots, Math.PI - 0.001), 1.5 / outer / zoom);
  const mid = slotAngle(slot, slots) - turn;
  return sector(inner, outer, mid - half, mid + half, zoom);
}

/**
 * Returns the borders between the slots of a level as an SVG path.
 * @param {number} level @param {number} levels @param {number} slots
 */
export function bordersPath(level, levels, slots) {
  if (slots < 2 || slots > D.LINES_MAX) return "";
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
  if (level > 0 && !hasBand(level, levels)) return [];
  if (level === 0 && slots > D.LONG_MIN) return longLabels(slots, turn);
  let every = slots > D.LABELS_MAX ? labelStep(slots) : 1;
  let radius = D.RIM_RADIUS + D.LABEL_ROOM;
  if (level > 0) {
    radius = ringRadii(level, levels)[1] - D.BAND_WIDE / 2;
    if (Math.floor(slots / every) > D.INNER_MAX && slots % (2 * every) === 0) every *= 2;
  }
  const labels = [];
  for (let s = 0; s < slots && (every === 1 || s + every <= slots); s += every) {
    const [x, y] = polar(radius, slotAngle(s, slots) - turn);
    labels.push({ x, y, slot: s, side: "middle" });
  }
  return labels;
}

/**
 * Splits the text about a level's slots into lines, and returns their positions in a corner of the picture, where
 * no hand is drawn. The text of level 0 is at the upper left, and those of the other levels follow clockwise.
 * Returns no lines if there is no room for the text.
 * @param {number} level @param {number} levels @param {string} text lengths of a slot and of a turn, see spanWords
 * @param {boolean} beside whether a side list occupies the lower left corner
 */
export function spanLines(level, levels, text, beside) {
  if (text === "" || level > 3 || !hasBand(level, levels) || (beside && level > 2)) return [];
  const cut = text.search(/[,，]/u);
  const parts = cut < 0 ? [text] : [text.slice(0, cut), text.slice(cut + 1).trim()];
  const right = level === 1 || level === 2;
  return parts.map((part, k) => ({
    x: right ? 2 * CENTRE - D.SPAN_LEFT : D.SPAN_LEFT,
    y: level >= 2 ? 2 * CENTRE - D.SPAN_TOP - D.SPAN_HIGH * (parts.length - 1 - k) : D.SPAN_TOP + D.SPAN_HIGH * k,
    side: right ? "end" : "start",
    text: part,
    long: ems(part) * D.BAND_FONT > D.SPAN_MOST,
  }));
}

/**
 * Returns the line that connects the text about the slots of a level with the ring of the level.
 * @param {number} level @param {number} levels @param {number} slots
 */
export function leadPath(level, levels, slots) {
  const [right, below] = [level === 1 || level === 2, level >= 2];
  const eighth = [7, 1, 3, 5][level % 4];
  const at = (slots * eighth) / 8; // the slot on the diagonal
  const border = right !== below ? Math.ceil(at) - 0.5 : Math.floor(at) + 0.5; // between two numbers; if two are equally near, the one towards the vertical axis
  const near = Math.max(-D.LEAD_MOST, Math.min(D.LEAD_MOST, ((border - at) * 2 * Math.PI) / slots));
  const far = right !== below ? -D.LEAD_MOST : D.LEAD_MOST;
  const away = slots > D.LONG_MIN ? far : near; // because a long number is on the diagonal
  const [x, y] = [right ? 2 * CENTRE - D.LEAD_LEFT : D.LEAD_LEFT, below ? 2 * CENTRE - D.LEAD_TOP : D.LEAD_TOP];
  const [toX, toY] = polar(ringRadii(level, levels)[1] - D.BAND_WIDE / 2, (eighth / 4 - 0.5) * Math.PI + away);
  return `M${fix(x)} ${fix(y)}L${fix(toX)} ${fix(toY)}`;
}

/**
 * Returns the hand of a level as an SVG path: a line from the middle through the slot.
 * @param {number} level @param {number} levels @param {number} slot @param {number} slots
 */
export function pointerPath(level, levels, slot, slots) {
  const angle = slotAngle(slot, slots);
  const [a, b] = [polar(holeRadius(levels), angle), polar(dotRadii(level, levels)[1], angle)];
  return `M${fix(a[0])} ${fix(a[1])}L${fix(b[0])} ${fix(b[1])}`;
}

/**
 * Returns a few large slot numbers for a ring of many slots. They are at the top, at the bottom, and in the
 * corners of the square, where there is room beside the ring. If the ring is rotated, other slots are at
 * these positions.
 * @param {number} slots @param {number} turn
 */
function longLabels(slots, turn) {
  return [0, 1, 3, 4, 5, 7].map((eighth) => {
    const slot = Math.floor((slots * eighth) / 8 + (turn * slots) / (2 * Math.PI) + 1e-6) % slots;
    const angle = slotAngle(slot, slots) - turn;
    const [x, y] = polar(D.RIM_RADIUS + D.LONG_ROOM, angle);
    const upright = eighth % 4 === 0;
    const side = upright ? "middle" : eighth < 4 ? "start" : "end"; // the near end is beside the rim
    return { x, y: y + (D.LONG_ABOVE - D.LONG_ROOM) * Math.sin(angle), slot, side };
  });
}

/**
 * Returns how many slots apart slot numbers are drawn: the smallest divisor of `slots` that results in at most
 * twelve numbers.
 * @param {number} slots
 */
function labelStep(slots) {
  for (let step = Math.ceil(slots / 12); step <= slots / 4; step++) if (slots % step === 0) return step;
  return Math.max(Math.floor(slots / 8), 1);
}

/** Returns the font size at which the time fits into the middle of the rings. @param {number} hole radius of the middle @param {string} text */
export function clockSize(hole, text) {
  return fix(Math.min(44, (2 * hole * 0.9) / (0.62 * text.length)));
}

/** Returns the font size of the wall-clock time, which is below the tick in the middle of the rings. @param {number} hole radius of the middle @param {string} text */
export function wallSize(hole, text) {
  return fix(Math.min(0.34 * hole, (2 * hole * 0.86) / ems(text)));
}

/**
 * Returns the font size of the number of pending timers, the last line in the middle of the rings.
 * @param {number} hole radius of the middle @param {string} text
 */
export function waitingSize(hole, text) {
  return fix(waitingUnits(hole, text));
}

/**
 * Returns the font size of the number of pending timers, the last line in the middle of the rings, in units.
 * @param {number} hole radius of the middle @param {string} text
 */
function waitingUnits(hole, text) { return Math.min(22, (2 * hole * 0.74) / ems(text)); }

/**
 * Returns the style classes of the number of pending timers, which depend on its font size. css/pictures.css hides
 * the number where it would be illegible.
 * @param {number} hole radius of the middle of the rings @param {string} text
 */
export function waitingClass(hole, text) {
  const size = waitingUnits(hole, text);
  return size < 12 ? "waiting finest" : size < 16 ? "waiting fine" : size < 19 ? "waiting small" : "waiting";
}

/** Returns the font sizes at which the time and the number of pending timers fit on one line. @param {string} clock @param {string} waiting */
export function flushSizes(clock, waiting) {
  const scale = Math.min(1, 306 / (D.FLUSH_FONT * 0.61 * clock.length + 24 * ems(waiting)));
  return [fix(D.FLUSH_FONT * scale), fix(24 * scale)];
}

/** Returns the approximate width of a text, in units of its font size. @param {string} text */
function ems(text) {
  let width = 0;
  for (const c of text) width += /** @type {number} */ (c.codePointAt(0)) > 0x2e80 ? 1 : 0.55;
  return width;
}
