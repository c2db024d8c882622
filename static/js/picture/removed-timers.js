// @ts-check
/**
 * Marks, outside the structure, of timers that left a lane in the last movement: a fired
 * timer at the rim next to its slot, with a double ring; a rejected one in the corner,
 * crossed out. The marks are derived from the movement's events; during small steps they
 * move there from the timer's position.
 */
import { TIMER_COLOURS } from "../core/colours.js";
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { calm, svg } from "../core/dom.js";
import { fix, slotAngle } from "./geometry.js";
import { handSlot } from "../state/lane-state.js";
import { shortName } from "../state/words.js";

/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("../state/activity.js").Row} Row */
/** @typedef {{x: number, y: number}} Point */

/** Maximum number of marks per kind; the rest is shown as a number. */
const MARKS_MAX = 6;
/** Radius of a mark, in units. */
const RADIUS = 15;
/** Distance from the centre of the rings to a mark at the rim. */
const RIM = 185;
/** Distances from a slot's number to the first mark, and between marks, along the rim. */
const FIRST = 34;
const NEXT = 33;
const MOVE_MS = 420;

export class RemovedTimers {
  /** @param {Element} layer @param {string} shape */
  constructor(layer, shape) {
    this.layer = layer;
    this.shape = shape;
  }

  /**
   * Redraws the marks. @param {import("./picture.js").Scene} scene @param {import("../state/lane-state.js").Lane} lane @param {Form} form
   * @param {(id: number) => Point|undefined} before returns where a timer was drawn before the movement
   * @returns {boolean} whether there are marks in the lower corner
   */
  update(scene, lane, form, before) {
    const fired = scene.rows.filter((r) => r.kind === KIND.expire);
    const refused = scene.rows.filter((r) => r.kind === KIND.reject);
    if (fired.length + refused.length === 0) {
      if (this.layer.hasChildNodes()) this.layer.replaceChildren();
      return false;
    }
    const hand = lane.levels[0] ? handSlot(lane.levels[0], lane.now, scene.start) : 0;
    const moving = scene.animate && !calm();
    this.layer.replaceChildren(
      ...this.#marks(fired, (row, index) => this.#exit(row, index, form, hand), "fired", scene.name),
      ...this.#marks(refused, (_, index) => this.#corner(index, form), "refused", scene.name),
    );
    if (moving) for (const mark of this.layer.children) move(mark, before(Number(mark.getAttribute("data-gone"))));
    return refused.length > 0 || this.shape !== "ring";
  }

  /** Returns the marks of one kind, and the number of those without a mark. @param {Row[]} rows @param {(row: Row, index: number) => Point} where @param {string} kind @param {(id: number) => string} name */
  #marks(rows, where, kind, name) {
    const marks = rows.slice(0, MARKS_MAX).map((row, index) => mark(row, where(row, index), kind, shortName(name(row.id))));
    if (rows.length <= MARKS_MAX) return marks;
    const { x, y } = where(rows[MARKS_MAX], MARKS_MAX);
    return [...marks, svg("text", { class: "rest", x: fix(x), y: fix(y) }, `+${rows.length - MARKS_MAX}`)];
  }

  /** Returns the position of a fired timer's mark. @param {Row} row @param {number} index @param {Form} form @param {number} hand of the finest level */
  #exit(row, index, form, hand) {
    if (this.shape !== "ring") return { x: 20 + 34 * index, y: 382 };
    const placed = row.fromLevel !== NO_LEVEL && row.fromLevel >= 0;
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

/** Returns a mark. @param {Row} row @param {Point} at @param {string} kind @param {string} label */
function mark(row, { x, y }, kind, label) {
  const group = svg("g", { class: `${kind} c${(row.id - 1) % TIMER_COLOURS}`, "data-gone": row.id, transform: `translate(${fix(x)} ${fix(y)})` });
  group.append(svg("circle", { class: "disc", r: RADIUS }));
  group.append(kind === "fired" ? svg("circle", { class: "inner", r: RADIUS - 3.5 }) : svg("path", { class: "cross", d: "M-11 11L11 -11" }));
  group.append(svg("text", { "font-size": RADIUS }, label));
  return group;
}

/** Animates a mark from its timer's position, or from the centre. @param {Element} mark @param {Point|undefined} from */
function move(mark, from = { x: 200, y: 200 }) {
  const [x, y] = mark.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
  mark.animate(
    [{ transform: `translate(${from.x}px, ${from.y}px) scale(1.4)` }, { transform: `translate(${x}px, ${y}px)` }],
    { duration: MOVE_MS, easing: "cubic-bezier(.2,.6,.3,1)" },
  );
}
