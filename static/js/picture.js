// @ts-check
/**
 * A lane's picture. What stands still is SVG; timers are SVG dots while they are
 * few, dots on a canvas up to 2,000, and slot counts as heat past that.
 */
import { Overlay } from "./canvas.js";
import { Frame } from "./frame-svg.js";
import { Heat } from "./heat-canvas.js";
import { SvgDots } from "./dots-svg.js";
import { drawDots } from "./dots-canvas.js";
import { spotsOf } from "./geometry.js";
import { setText } from "./dom.js";

/** @typedef {import("./lane-state.js").Lane} Lane */
/** @typedef {{entry: import("./lane-state.js").Entry, spot: import("./geometry.js").Spot, level: number}} Dot */
/**
 * @typedef {object} Scene what a picture needs besides the lane
 * @property {number} start of the scenario, absolute ticks
 * @property {number} followed id of the followed timer, 0: none
 * @property {(id: number) => string} name
 * @property {boolean} animate the step was small: movements may be shown
 * @property {Set<number>} fired ids that fired in this step in this lane
 */

/** Timers of a lane that are SVG dots. */
const SVG_MAX = 120;

export class Picture {
  /** @type {Dot[]} as drawn last, for finding what was clicked */
  dots = [];

  /** @param {Element} box @param {{shape: string, arity: number}} info @param {() => void} redraw */
  constructor(box, info, redraw) {
    this.info = info;
    const svgElement = /** @type {Element} */ (box.querySelector("svg"));
    this.frame = new Frame(svgElement, info);
    this.svgDots = new SvgDots(/** @type {Element} */ (svgElement.querySelector(".dots")), info.shape === "list");
    this.overlay = new Overlay(/** @type {HTMLCanvasElement} */ (box.querySelector("canvas")), redraw);
    this.heat = new Heat();
    this.legend = /** @type {HTMLElement} */ (box.querySelector(".heat-legend"));
    this.most = /** @type {Element} */ (box.querySelector(".heat-most"));
  }

  /** Draws the lane as it is. @param {Lane} lane @param {Scene} scene */
  draw(lane, scene) {
    const size = sizeOf(lane, this.info.shape);
    this.frame.update(lane, size, scene.start);
    const heated = lane.mode === "counts" && this.info.shape === "ring";
    this.legend.hidden = !heated;
    this.dots = lane.mode === "counts" ? [] : this.#dots(lane, size);
    if (this.dots.length <= SVG_MAX) {
      this.svgDots.update(this.dots, scene.followed, scene.name, scene.animate, scene.fired);
    } else {
      this.svgDots.clear();
    }
    if (this.overlay.side === 0) return;
    if (heated) setText(this.most, this.heat.draw(this.overlay, lane, scene.start));
    else if (this.dots.length > SVG_MAX) drawDots(this.overlay, this.dots, scene.followed, scene.name);
    else this.overlay.clear();
  }

  /** @param {Lane} lane @param {number} size */
  #dots(lane, size) {
    const form = { shape: this.info.shape, arity: this.info.arity, levels: lane.levels, size };
    /** @type {Dot[]} */
    const dots = [];
    for (const place of lane.places.values()) {
      const spot = spotsOf(form, place);
      place.entries.forEach((entry, index) => dots.push({ entry, spot: spot(index), level: place.level }));
    }
    return dots;
  }

  /** The timer drawn at a point of the picture, in units; 0: none. @param {number} x @param {number} y */
  timerAt(x, y) {
    let best = { id: 0, away: Infinity };
    for (const { entry, spot } of this.dots) {
      const away = Math.hypot(spot.x - x, spot.y - y) - spot.r;
      if (away < best.away) best = { id: entry.id, away };
    }
    return best.away <= 4 ? best.id : 0;
  }
}

/** Nodes of a heap, timers of another lane. @param {Lane} lane @param {string} shape */
function sizeOf(lane, shape) {
  let size = 0;
  for (const place of lane.places.values()) {
    size = shape === "heap" ? Math.max(size, place.slot + 1) : size + place.count;
  }
  return size;
}
