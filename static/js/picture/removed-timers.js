// @ts-check
/**
 * Marks, outside the structure, of timers that left a lane in the step: a fired timer at the
 * rim next to its slot, with a double ring; a rejected one in the corner, crossed out. They
 * follow from the step's events; motion.js moves them there from the timer's slot.
 */
import { TIMER_COLOURS } from "../core/colours.js";
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { svg } from "../core/dom.js";
import { fix, slotAngle } from "./geometry.js";
import { middleOf } from "./spots.js";
import { handSlot } from "../state/lane-state.js";
import { shortName } from "../state/words.js";

/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("../state/activity.js").Row} Row */
/** @typedef {import("../state/activity.js").Activity} Activity */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{id: number, element: Element, way: Point[]}} Mark and the way of its timer to it */

/** Maximum number of marks per kind; the rest is shown as a number. */
const MARKS_MAX = 6;
/** Radius of a mark, in units. */
const RADIUS = 15;
/** Distance from the centre of the rings to a mark at the rim. */
const RIM = 185;
/** Distances from a slot's number to the first mark, and between marks, along the rim. */
const FIRST = 34;
const NEXT = 33;

export class RemovedTimers {
  /** @type {Mark[]} as drawn last */
  marks = [];

  /** @param {Element} layer @param {string} shape */
  constructor(layer, shape) {
    this.layer = layer;
    this.shape = shape;
  }

  /**
   * Redraws the marks. @param {Activity|null} did @param {import("./picture.js").Scene} scene @param {import("../state/lane-state.js").Lane} lane @param {Form} form
   * @returns {boolean} whether there are marks in the lower corner
   */
  update(did, scene, lane, form) {
    const [fired, refused] = [did?.kinds.get(KIND.expire) ?? 0, did?.kinds.get(KIND.reject) ?? 0];
    this.marks = [];
    if (!did || fired + refused === 0) {
      if (this.layer.hasChildNodes()) this.layer.replaceChildren();
      return false;
    }
    const hand = lane.levels[0] ? handSlot(lane.levels[0], lane.now, scene.start) : 0;
    const rows = (/** @type {number} */ kind) => did.rows.filter((row) => row.kind === kind);
    this.layer.replaceChildren(
      ...this.#marks(rows(KIND.expire), fired, (row, index) => this.#exit(row, index, form, hand), "fired", scene.name, form),
      ...this.#marks(rows(KIND.reject), refused, (_, index) => this.#corner(index, form), "refused", scene.name, form),
    );
    return refused > 0 || this.shape !== "ring";
  }

  /**
   * Returns the marks of one kind, and the number of those without a mark. @param {Row[]} rows none if there are too many @param {number} count
   * @param {(row: Row|undefined, index: number) => Point} where @param {string} kind @param {(id: number) => string} name @param {Form} form
   */
  #marks(rows, count, where, kind, name, form) {
    const shown = rows.slice(0, MARKS_MAX).map((row, index) => {
      const at = where(row, index);
      const element = mark(row, at, kind, shortName(name(row.id)));
      this.marks.push({ id: row.id, element, way: [startOf(row, form), at] });
      return element;
    });
    if (count <= shown.length) return shown;
    const { x, y } = where(rows[MARKS_MAX], shown.length);
    return [...shown, svg("text", { class: `rest ${kind}`, x: fix(x), y: fix(y) }, `+${count - shown.length}`)];
  }

  /** Returns the position of a fired timer's mark. @param {Row|undefined} row @param {number} index @param {Form} form @param {number} hand of the finest level */
  #exit(row, index, form, hand) {
    if (this.shape !== "ring") return { x: 20 + 34 * index, y: 382 };
    const placed = row !== undefined && row.fromLevel !== NO_LEVEL && row.fromLevel >= 0;
    const level = placed ? row.fromLevel : 0;
    const angle = slotAngle(placed ? row.fromSlot : hand, form.levels[level][1]) - (form.turns?.[level] ?? 0);
    const at = angle + (FIRST + NEXT * index) / RIM;
    return { x: 200 + RIM * Math.cos(at), y: 200 + RIM * Math.sin(at) };
  }

  /** Returns the position of a rejected timer's mark: the corner below the rings, above a side list. @param {number} index @param {Form} form */
  #corner(index, form) {
    if (this.shape !== "ring") return { x: 380 - 34 * index, y: 382 };
    const side = form.levels.some(([level]) => level < 0);
    return { x: 16 + 34 * (index % 2), y: (side ? 316 : 382) - 34 * Math.floor(index / 2) };
  }
}

/** Returns where a timer was before it left: its slot, or the middle. @param {Row} row @param {Form} form @returns {Point} */
function startOf({ fromLevel, fromSlot }, form) {
  if (fromLevel === NO_LEVEL || !form.levels.some(([level]) => level === fromLevel)) return { x: 200, y: 200 };
  const { x, y } = middleOf(form, fromLevel, fromSlot);
  return { x, y };
}

/** Returns a mark. @param {Row} row @param {Point} at @param {string} kind @param {string} label */
function mark(row, { x, y }, kind, label) {
  const group = svg("g", { class: `${kind} c${(row.id - 1) % TIMER_COLOURS}`, "data-gone": row.id, transform: `translate(${fix(x)} ${fix(y)})` });
  group.append(svg("circle", { class: "disc", r: RADIUS }));
  group.append(kind === "fired" ? svg("circle", { class: "inner", r: RADIUS - 3.5 }) : svg("path", { class: "cross", d: "M-11 11L11 -11" }));
  group.append(svg("text", { "font-size": RADIUS }, label));
  return group;
}
