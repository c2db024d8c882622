// @ts-check
/**
 * A magnified strip of adjacent slots of one level. Each slot is a bar whose height shows the number of timers
 * in the slot. The slot number is below the bar. The selected slot is in the middle.
 */
import { fix } from "../picture/geometry.js";
import { placeKey } from "../state/lane-state.js";
import { svg } from "../core/dom.js";

const WIDE = 300;
const HIGH = 64;
/** Height of the space for the numbers below the bars, in units of the strip. */
const FOOT = 16;
const SHOWN_MIN = 9;
const SHOWN_MAX = 129;
/** Maximum number of slot numbers below the strip. */
const NUMBERS = 7;

export class Strip {
  /** Number of slots shown. It is always odd, so that one slot is in the middle. */
  shown = 17;
  #first = 0;
  #slots = 1;

  /** @param {(slot: number) => void} choose */
  constructor(choose) {
    this.box = svg("svg", { class: "strip", viewBox: `0 0 ${WIDE} ${HIGH + FOOT}`, "aria-hidden": "true" });
    this.box.addEventListener("click", (e) => choose(this.#at(/** @type {MouseEvent} */ (e).clientX)));
    this.box.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.zoom(/** @type {WheelEvent} */ (e).deltaY > 0 ? 2 : 0.5);
      choose(this.#first + (this.#count >> 1));
    }, { passive: false });
  }

  get #count() { return Math.min(this.shown, this.#slots); }

  /** Changes the number of slots shown. @param {number} by factor */
  zoom(by) {
    const half = Math.round(((this.shown - 1) / 2) * by);
    this.shown = Math.max(SHOWN_MIN, Math.min(SHOWN_MAX, 2 * half + 1));
  }

  /** Returns the slot at a horizontal coordinate. @param {number} x coordinate in the window */
  #at(x) {
    const { left, width } = this.box.getBoundingClientRect();
    return this.#first + Math.floor(((x - left) / width) * this.#count);
  }

  /**
   * Draws the strip around a slot.
   * @param {import("../state/lane-state.js").Lane} lane @param {number} level
   * @param {number} slot the slot in the middle
   * @param {number} hand
   */
  draw(lane, level, slot, hand) {
    this.#slots = lane.levels[level][1];
    this.#first = slot - (this.#count >> 1);
    const cells = Array.from({ length: this.#count }, (_, k) => {
      const at = (((this.#first + k) % this.#slots) + this.#slots) % this.#slots;
      return { at, count: lane.places.get(placeKey(level, at))?.count ?? 0 };
    });
    const most = Math.max(1, ...cells.map((c) => c.count));
    const wide = WIDE / cells.length;
    const every = Math.ceil(cells.length / NUMBERS);
    const middle = this.#count >> 1;
    this.box.replaceChildren(...cells.flatMap(({ at, count }, k) => {
      const high = count === 0 ? 0 : Math.max(4, ((HIGH - 12) * Math.log(count + 1)) / Math.log(most + 1));
      const kind = `${at === hand ? " under" : ""}${k === middle ? " chosen" : ""}`;
      const parts = [
        svg("rect", { class: `cell${kind}`, x: fix(k * wide), y: 0, width: fix(wide), height: HIGH }),
        svg("rect", { class: "bar", x: fix(k * wide + wide * 0.15), y: fix(HIGH - high), width: fix(wide * 0.7), height: fix(high) }),
      ];
      const x = fix((k + 0.5) * wide);
      if ((k - middle) % every === 0) parts.push(svg("text", { class: `number${kind}`, x, y: HIGH + 12 }, String(at)));
      if (count > 0 && wide >= 16) parts.push(svg("text", { class: "count", x, y: fix(HIGH - high - 3) }, String(count)));
      return parts;
    }));
  }
}
