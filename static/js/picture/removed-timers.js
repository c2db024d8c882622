// @ts-check
/**
 * Draws marks for the timers that fired or were rejected in the step. The marks are outside the slots. The mark
 * of a fired timer has a double ring and, in a picture with rings, is at the rim next to the timer's slot. The
 * mark of a rejected timer is crossed out and in a corner. motion.js animates the movement from the slot to the
 * mark.
 */
import { TIMER_COLOURS } from "../core/colours.js";
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { svg } from "../core/dom.js";
import { fix, slotAngle, slotLabels, spanLines } from "./geometry.js";
import { SPAN_HIGH, SPAN_MOST } from "./dimensions.js";
import { middleOf } from "./spots.js";
import { handSlot, ringCount } from "../state/lane-state.js";
import { shortName } from "../state/words.js";

/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("../state/activity.js").Row} Row */
/** @typedef {import("../state/activity.js").Activity} Activity */
/** @typedef {{x: number, y: number}} Point a point in units of the picture */
/** @typedef {{id: number, element: Element, way: Point[]}} Mark a mark, and the path along which its timer moves to it */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box a rectangle in units of the picture */
/** @typedef {Point & {r: number}} Place position and radius of a mark, in units */

/** Maximum number of marks of each kind. The number of further timers is shown. */
const MARKS_MAX = 6;
/**
 * Radii of a mark, in units. The smaller ones are used if there is little room between the slot numbers at
 * the rim.
 */
const RADII = [15, 12, 9];
const RADIUS = RADII[0];
/** Distance from the centre of the rings to a mark at the rim, in units. */
const RIM = 185;
/** Free space around a mark, including half the width of its line, in units. */
const CLEAR = 2.5;
/** Number of angles, in a full turn, that are tried for a mark at the rim. */
const ANGLES = 180;
/** Height of a digit of a slot number in a small picture, in units. In a large picture, digits are smaller. */
const DIGIT_HIGH = 21;
/** Width of a digit of a slot number in a small picture, in units. In a large picture, digits are smaller. */
const DIGIT_WIDE = 13;

export class RemovedTimers {
  /** @type {Mark[]} marks that were drawn last */
  marks = [];

  /** @param {Element} layer @param {string} shape */
  constructor(layer, shape) {
    this.layer = layer;
    this.shape = shape;
  }

  /**
   * Redraws the marks.
   * @param {Activity|null} did @param {import("./picture.js").Scene} scene
   * @param {import("../state/lane-state.js").Lane} lane @param {Form} form
   * @returns {boolean} whether there are marks in a lower corner of the picture
   */
  update(did, scene, lane, form) {
    const rows = (/** @type {number} */ kind) => did?.rows.filter((row) => row.kind === kind) ?? [];
    const [fired, refused] = [KIND.expire, KIND.reject].map((kind) => Math.max(rows(kind).length, did?.kinds.get(kind) ?? 0));
    this.marks = [];
    if (!did || fired + refused === 0) {
      if (this.layer.hasChildNodes()) this.layer.replaceChildren();
      return false;
    }
    const hand = lane.levels[0] ? handSlot(lane.levels[0], lane.now, scene.start) : 0;
    const exits = this.#exits(rows(KIND.expire).slice(0, MARKS_MAX + 1), form, hand);
    this.layer.replaceChildren(
      ...this.#marks(rows(KIND.expire), fired, (index) => exits[index], "fired", scene.name, form),
      ...this.#marks(rows(KIND.reject), refused, (index) => this.#corner(index, form), "refused", scene.name, form),
    );
    return refused > 0 || this.shape !== "ring";
  }

  /**
   * Returns the marks of one kind, and the number of timers without a mark.
   * @param {Row[]} rows events of the timers, or none if there are too many
   * @param {number} count number of timers
   * @param {(index: number) => Place} where @param {string} kind @param {(id: number) => string} name @param {Form} form
   */
  #marks(rows, count, where, kind, name, form) {
    const shown = rows.slice(0, MARKS_MAX).map((row, index) => {
      const at = where(index);
      const element = mark(row, at, kind, shortName(name(row.id)));
      this.marks.push({ id: row.id, element, way: [startOf(row, form), at] });
      return element;
    });
    if (count <= shown.length) return shown;
    const { x, y } = where(shown.length);
    return [...shown, svg("text", { class: `rest ${kind}`, x: fix(x), y: fix(y) }, `+${count - shown.length}`)];
  }

  /**
   * Returns the places for the marks of fired timers, followed by the place for the number of timers that have no
   * mark.
   * @param {Row[]} rows @param {Form} form @param {number} hand slot under the hand of level 0 @returns {Place[]}
   */
  #exits(rows, form, hand) {
    const n = Math.min(rows.length, MARKS_MAX) + 1;
    if (this.shape !== "ring") return Array.from({ length: n }, (_, index) => ({ x: 20 + 34 * index, y: 382, r: RADIUS }));
    const angles = Array.from({ length: n }, (_, index) => {
      const row = rows[index];
      const placed = row !== undefined && row.fromLevel !== NO_LEVEL && row.fromLevel >= 0;
      const level = placed ? row.fromLevel : 0;
      return slotAngle(placed ? row.fromSlot : hand, form.levels[level][1]) - (form.turns?.[level] ?? 0);
    });
    return atRim(angles, textsOf(form));
  }

  /**
   * Returns the place for the mark of a rejected timer, in the corner below the rings and above a side list.
   * @param {number} index @param {Form} form @returns {Place}
   */
  #corner(index, form) {
    if (this.shape !== "ring") return { x: 380 - 34 * index, y: 382, r: RADIUS };
    const side = form.levels.some(([level]) => level < 0);
    return { x: 16 + 34 * (index % 2), y: (side ? 316 : 382) - 34 * Math.floor(index / 2), r: RADIUS };
  }
}

/**
 * Returns places at the rim near the given angles that overlap neither the texts nor each other. If there is
 * too little room, smaller places are returned. If even the smallest ones do not fit, they may overlap.
 * @param {number[]} angles @param {Box[]} texts @returns {Place[]}
 */
function atRim(angles, texts) {
  /** @type {Place[]} */
  let places = [];
  for (const r of RADII) {
    places = [];
    for (const angle of angles) {
      const place = nearest(angle, r, texts, places);
      if (place) places.push(place);
    }
    if (places.length === angles.length) return places;
  }
  return angles.map((angle, k) => places[k] ?? onRim(angle, RADII[RADII.length - 1])); // no room at all
}

/**
 * Returns the nearest free place on either side of an angle, or null if there is none.
 * @param {number} angle @param {number} r @param {Box[]} texts @param {Place[]} taken @returns {Place|null}
 */
function nearest(angle, r, texts, taken) {
  for (let k = 0; k < ANGLES; k++) {
    const place = onRim(angle + (Math.ceil(k / 2) * (k % 2 ? 1 : -1) * 2 * Math.PI) / ANGLES, r);
    if (texts.every((box) => distanceTo(box, place) >= r + CLEAR) && taken.every(({ x, y }) => Math.hypot(place.x - x, place.y - y) >= 2 * r + CLEAR)) return place;
  }
  return null;
}

/** Returns a place at the rim. @param {number} angle @param {number} r @returns {Place} */
function onRim(angle, r) { return { x: 200 + RIM * Math.cos(angle), y: 200 + RIM * Math.sin(angle), r }; }

/** Returns the distance from a point to a box. @param {Box} box @param {Point} point */
function distanceTo({ left, right, top, bottom }, { x, y }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** Returns the boxes of the slot numbers around the rings, and of the texts in the corners. @param {Form} form @returns {Box[]} */
function textsOf({ levels, turns }) {
  const rings = ringCount(levels);
  const box = (/** @type {{x: number, y: number, side: string}} */ { x, y, side }, /** @type {number} */ wide, /** @type {number} */ high) => {
    const left = side === "start" ? x : side === "end" ? x - wide : x - wide / 2;
    return { left, right: left + wide, top: y - high / 2, bottom: y + high / 2 };
  };
  const numbers = slotLabels(0, rings, levels[0][1], turns?.[0] ?? 0).map((label) => box(label, DIGIT_WIDE * String(label.slot).length, DIGIT_HIGH));
  const spans = Array.from({ length: rings }, (_, level) => spanLines(level, rings, "1,1", false)).flat();
  return [...numbers, ...spans.map((line) => box(line, SPAN_MOST, SPAN_HIGH))];
}

/**
 * Returns the position of a timer before it left: the centre of its slot, or the centre of the picture if it
 * was in no slot.
 * @param {Row} row @param {Form} form @returns {Point}
 */
function startOf({ fromLevel, fromSlot }, form) {
  if (fromLevel === NO_LEVEL || !form.levels.some(([level]) => level === fromLevel)) return { x: 200, y: 200 };
  const { x, y } = middleOf(form, fromLevel, fromSlot);
  return { x, y };
}

/**
 * Returns the element of a mark.
 * @param {Row} row @param {Place} at @param {string} kind @param {string} label
 */
function mark(row, { x, y, r }, kind, label) {
  const group = svg("g", { class: `${kind} c${(row.id - 1) % TIMER_COLOURS}`, "data-gone": row.id, transform: `translate(${fix(x)} ${fix(y)})` });
  group.append(svg("circle", { class: "disc", r }));
  group.append(kind === "fired" ? svg("circle", { class: "inner", r: r - 3.5 }) : svg("path", { class: "cross", d: "M-11 11L11 -11" }));
  group.append(svg("text", { "font-size": r }, label));
  return group;
}
