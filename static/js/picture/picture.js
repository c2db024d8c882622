// @ts-check
/**
 * The picture of a lane. Timers are drawn as SVG dots if there are few, as dots on a canvas if there are up to
 * 2,000, and otherwise as a heat map of the numbers of timers in the slots. All other parts are SVG.
 */
import { EDGED_MAX } from "../core/limits.js";
import { Animator } from "./animator.js";
import { Overlay } from "./canvas.js";
import { Frame } from "./frame-svg.js";
import { Heat } from "./heat-canvas.js";
import { Close } from "./close.js";
import { SvgDots } from "./dots-svg.js";
import { Zoom } from "./zoom.js";
import { drawDots, ring } from "./dots-canvas.js";
import { currentPalette } from "../core/colours.js";
import { formOf, rowsShown } from "./rows.js";
import { slicesOf } from "./slices.js";
import { Flows } from "./flows.js";
import { RemovedTimers } from "./removed-timers.js";
import { CORNER, handSlot, ringCount } from "../state/lane-state.js";
import { traitsOf } from "../state/traits.js";
import { CHAIN_MAX } from "./dimensions.js";
import { fix, turnOf } from "./geometry.js";
import { middleOf, spotsOf } from "./spots.js";
import { calm, setAttr, setText } from "../core/dom.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {{entry: import("../state/lane-state.js").Entry, spot: import("./geometry.js").Spot, level: number}} Dot a timer, its position and its level */
/**
 * @typedef {object} Scene the data, in addition to the lane, that a picture needs
 * @property {number} start origin of the lane's slots; see Store.origin
 * @property {number} until last tick of the scenario
 * @property {number} followed id of the followed timer, or 0 if there is none
 * @property {(id: number) => string} name
 * @property {string} at identifies the position of the cursor and the run; each position is animated at most once
 * @property {number} animate maximum duration of the movement to the position, in milliseconds; 0 means no animation
 * @property {boolean} back whether the movement undoes the step that was drawn last
 * @property {number} since number of the last event before the movement; only later events are animated
 * @property {import("../state/activity.js").Activity|null} did activity of the lane at the position; null if
 *   it is unknown, and during fast playback
 * @property {boolean} dial whether the dial turns under a fixed hand
 * @property {{level: number, slot: number}|null} [where] place of the followed timer in a lane with mode "counts"
 */

/** Radius of the ring around the place that contains the followed timer, in pixels. */
const FOLLOWED_PX = 9;

export class Picture {
  /** @type {Dot[]} dots that were drawn last; timerAt searches them */
  dots = [];
  /** @type {import("./spots.js").Form|null} form that was drawn last */
  form = null;
  /** The field `at` of the scene that was drawn last. */
  #at = "";
  /** Equal to #at if the movement to that position has been animated, otherwise "". */
  #animated = "";
  /** Number of timers at the top of the heat scale. */
  #top = 1;
  /**
   * Activity of the lane at the position that was drawn last.
   * @type {import("../state/activity.js").Activity|null}
   */
  #did = null;

  /** @param {Element} box @param {import("../state/store.js").LaneInfo} info @param {() => void} redraw */
  constructor(box, info, redraw) {
    this.info = info;
    this.shape = formOf(info);
    this.box = box;
    this.zoom = new Zoom();
    const svgElement = (this.svg = /** @type {Element} */ (box.querySelector("svg")));
    this.frame = new Frame(svgElement, info);
    this.svgDots = new SvgDots(/** @type {Element} */ (svgElement.querySelector(".dots")), info.shape === "list");
    this.overlay = new Overlay(/** @type {HTMLCanvasElement} */ (box.querySelector("canvas")), this.zoom, redraw);
    this.close = this.shape === "ring" ? new Close(svgElement) : null;
    this.chain = traitsOf(info.algorithm).sorted ? svgElement.querySelector(".chain") : null;
    this.removed = new RemovedTimers(/** @type {Element} */ (svgElement.querySelector(".gone")), this.shape);
    this.flows = new Flows(/** @type {Element} */ (svgElement.querySelector(".flows")));
    this.animator = new Animator(svgElement);
    this.heat = new Heat();
    /** Draws the canvas again. */
    this.paint = () => {};
    this.legend = /** @type {HTMLElement} */ (box.querySelector(".heat-legend"));
    this.most = /** @type {Element} */ (box.querySelector(".heat-most"));
  }

  /** Reports whether drawing the lane will take long, because the bins of its heat map must be computed. @param {Lane} lane */
  isCold(lane) { return lane.mode === "counts" && this.shape === "ring" && this.overlay.side > 0 && !this.heat.ready(this.overlay, lane.levels); }

  /** Draws the lane's current state. @param {Lane} lane @param {Scene} scene */
  draw(lane, scene) {
    const size = sizeOf(lane, this.info.shape);
    const rows = this.shape === "rows" ? rowsShown(this.info.algorithm, lane, scene.until) : 0;
    const zoom = this.zoom.step;
    this.#look();
    this.frame.update(lane, size, scene.start, scene.dial, rows, zoom);
    this.frame.time(lane);
    const heated = lane.mode === "counts" && this.shape === "ring";
    this.legend.toggleAttribute("hidden", !heated);
    this.form = { shape: this.shape, arity: this.info.arity, levels: lane.levels, size, rows, zoom, turns: turnsOf(lane, scene) };
    if (this.shape === "slices") this.form.slices = slicesOf(this.info, lane, scene.start);
    this.close?.update(lane, this.zoom, scene.start, this.form.turns);
    this.dots = lane.mode === "counts" ? [] : dotsOf(lane, this.form, this.zoom);
    if (this.chain) setAttr(this.chain, "d", lane.mode === "full" ? chainsOf(lane, this.form) : "");
    if (scene.at !== this.#at) {
      this.animator.stop();
      this.#animated = "";
    }
    if (scene.at !== this.#at || scene.did !== this.#did) this.animator.prepare(this, lane, scene);
    [this.#at, this.#did] = [scene.at, scene.did];
    this.flows.update(scene.did?.flows ?? [], this.animator.trails(scene.did, this.dots), this.form, zoom);
    const left = this.removed.update(scene.did, scene, lane, this.form);
    this.box.toggleAttribute("data-cornered", left || lane.places.has(CORNER));
    if (this.dots.length <= EDGED_MAX) {
      this.svgDots.update(this.dots, scene.followed, scene.name, zoom);
    } else {
      this.svgDots.clear();
    }
    const moves = scene.did !== null && scene.animate > 0 && this.#animated !== scene.at;
    if (moves) {
      this.#animated = scene.at;
      if (!calm()) this.animator.start(this, scene, /** @type {import("../state/activity.js").Activity} */ (scene.did));
    }
    this.paint = () => this.#paint(lane, scene, heated);
    if (this.overlay.side > 0) this.paint();
    if (moves) this.animator.begin();
  }

  /**
   * Draws the canvas. While many timers move, it is drawn in parts.
   * @param {Lane} lane @param {Scene} scene @param {boolean} heated whether the numbers of timers in slots are drawn
   */
  #paint(lane, scene, heated) {
    const { hidden, parts } = this.animator;
    const dotted = this.dots.length > EDGED_MAX && !heated;
    if (!heated && !dotted) this.overlay.clear();
    else if (!parts) this.#paintPart(lane, scene, heated, this.dots.filter(({ entry }) => !hidden.has(entry.id)), true);
    else {
      parts.draw(this.overlay, (part) => this.#paintPart(heated ? parts.countsOf(lane, part) : lane, scene, heated, parts.dotsOf(this.dots, part), part === "all"));
    }
    if (scene.where && (heated || this.shape === "rows")) this.#mark(scene.where);
  }

  /**
   * Draws timers, or the numbers of timers in slots, on the canvas.
   * @param {Lane} lane @param {Scene} scene @param {boolean} heated @param {Dot[]} dots
   * @param {boolean} whole whether all of the lane is drawn, which determines the scale
   */
  #paintPart(lane, scene, heated, dots, whole) {
    if (!heated) return drawDots(this.overlay, [...dots].sort((a, b) => a.entry.id - b.entry.id), scene.followed, scene.name); // by id, since the order is visible where dots overlap
    const top = this.heat.draw(this.overlay, lane, scene.start, scene.dial, whole ? undefined : this.#top);
    if (whole) setText(this.most, this.#top = top);
  }

  /** Draws a ring around the place that contains the followed timer. @param {{level: number, slot: number}} where */
  #mark({ level, slot }) {
    if (!this.form) return;
    if (!this.overlay.drawn) {
      this.overlay.pixels();
      this.overlay.show();
    }
    const { x, y } = middleOf(this.form, level, slot);
    ring(this.overlay.context, this.overlay.px(x), this.overlay.py(y), FOLLOWED_PX, currentPalette().selected);
  }

  /** Applies the magnification to the picture. */
  #look() {
    setAttr(this.svg, "viewBox", this.zoom.box);
    this.box.classList.toggle("zoomed", this.zoom.on);
    this.box.classList.toggle("close-up", this.zoom.on && this.close !== null);
  }

  /** Centres a magnified picture on a place. @param {number} level @param {number} slot */
  lookAt(level, slot) {
    if (!this.zoom.on || !this.form) return;
    const { x, y } = middleOf(this.form, level, slot);
    this.zoom.centre(x, y);
  }

  /**
   * Returns the id of the timer at a point of the picture, in units, or 0 if there is none.
   * @param {number} x @param {number} y
   */
  timerAt(x, y) {
    let best = { id: 0, away: Infinity };
    for (const { entry, spot } of this.dots) {
      const away = Math.hypot(spot.x - x, spot.y - y) - spot.r;
      if (away < best.away) best = { id: entry.id, away };
    }
    return best.away <= 4 / this.zoom.k ? best.id : 0;
  }
}

/**
 * Returns the number of nodes of a heap, or the number of timers of another lane.
 * @param {Lane} lane @param {string} shape
 */
function sizeOf(lane, shape) {
  let size = 0;
  for (const place of lane.places.values()) {
    size = shape === "heap" ? Math.max(size, place.slot + 1) : size + place.count;
  }
  return size;
}

/** Returns the positions of all visible timers of a lane. @param {Lane} lane @param {import("./spots.js").Form} form @param {Zoom} zoom @returns {Dot[]} */
function dotsOf(lane, form, zoom) {
  /** @type {Dot[]} */
  const dots = [];
  for (const place of lane.places.values()) {
    const spot = spotsOf(form, place);
    place.entries.forEach((entry, index) => {
      const at = spot(index);
      if (!zoom.on || zoom.holds(at.x, at.y, at.r)) dots.push({ entry, spot: at, level: place.level });
    });
  }
  return dots;
}

/** Returns an SVG path that connects the timers of each slot in order, for slots that are sorted. @param {Lane} lane @param {import("./spots.js").Form} form */
function chainsOf(lane, form) {
  let path = "";
  for (const place of lane.places.values()) {
    if (place.count > CHAIN_MAX) continue;
    const spot = spotsOf(form, place);
    for (let j = 1; j < place.count; j++) path += `M${fix(spot(j - 1).x)} ${fix(spot(j - 1).y)}L${fix(spot(j).x)} ${fix(spot(j).y)}`;
  }
  return path;
}

/**
 * Returns the rotation of each level, or undefined if the hands turn instead of the dials.
 * @param {Lane} lane @param {Scene} scene
 */
function turnsOf(lane, { dial, start }) {
  if (!dial) return undefined;
  return lane.levels.slice(0, ringCount(lane.levels)).map((level) => turnOf(handSlot(level, lane.now, start), level[1]));
}
