// @ts-check
/**
 * The picture of a lane. Its timers, their ways and trails are drawn by frame.js; if there are more than 2,000, a heat map
 * shows the numbers of timers in the slots of rings instead. The other parts depend on the form of the picture only.
 */
import { Overlay } from "./canvas.js";
import { Frame } from "./frame-svg.js";
import { Heat } from "./heat-canvas.js";
import { Close } from "./close.js";
import { Zoom } from "./zoom.js";
import { formOf, rowsShown } from "./rows.js";
import { slicesOf } from "./slices.js";
import { drawFlows } from "./flows.js";
import { drawTimers, trayWords } from "./frame.js";
import { boxForm, edgeCount, heapSize } from "./form.js";
import { ease, mix } from "./face.js";
import { paint } from "./nodes.js";
import { DURATION, REST } from "./scene.js";
import { stepScene } from "./step.js";
import { emptyLane, handSlot, ringCount } from "../state/lane-state.js";
import { KIND } from "../state/kinds.js";
import { traitsOf } from "../state/traits.js";
import { CHAIN_MAX, FACE_DOTS } from "./dimensions.js";
import { fix, turnOf } from "./geometry.js";
import { middleOf, spotsOf } from "./spots.js";
import { calm, setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("./scene.js").Scene} StepScene */
/**
 * @typedef {object} Scene the data, in addition to the lane, that a picture needs
 * @property {number} start origin of the lane's slots; see Store.origin
 * @property {number} until last tick of the scenario
 * @property {number} followed id of the followed timer, or 0 if there is none
 * @property {(id: number) => string} name
 * @property {(id: number) => number} due returns the due tick of a timer when it was scheduled last
 * @property {number} tick tick of the cursor
 * @property {string} at identifies the position of the cursor and the run; each position is animated at most once
 * @property {number} animate maximum duration of the movement to the position, in milliseconds; 0 means no animation
 * @property {boolean} back whether the movement undoes the step that was drawn last
 * @property {number} since number of the last event before the movement; only later events are animated
 * @property {import("../state/activity.js").Activity|null} did activity of the lane at the position; null if
 *   it is unknown, and during fast playback
 * @property {boolean} dial whether the dial turns under a fixed hand
 * @property {{level: number, slot: number}|null} [where] place of the followed timer in a lane with mode "counts"
 */
/**
 * While lanes with many timers are played fast: the minimum intervals between two drawings of the discs of a lane, since faster
 * changes can't be read, and between those of two lanes, so that a frame has one. In milliseconds.
 */
const DISCS_MS = { lane: 100, any: 10 };
/** Time at which the discs of any lane were drawn last, as performance.now(). */
let discsAt = 0;

/** @typedef {{form: import("./form.js").Form, scene: StepScene, flows: import("./nodes.js").Node_[], followed: number, name: (id: number) => string}} Drawing what is drawn of a step */

export class Picture {
  /** @type {import("./frame.js").Dot[]} timers that were drawn last; timerAt searches them */
  dots = [];
  /** @type {import("./spots.js").Form|null} form that was drawn last */
  form = null;
  /** The field `at` of the scene that was drawn last. */
  #at = "";
  /** Equal to #at if the movement to that position has been animated, otherwise "". */
  #animated = "";
  /** Time at which timers were drawn last, as performance.now(), and the timer that draws those that were left out. */
  #drawnAt = 0;
  #late = 0;
  /** @type {Lane} the lane that was drawn last */
  #lane = emptyLane([]);
  /** @type {Drawing|null} the step at the position that was drawn last */
  #drawing = null;
  /** @type {{drawing: Drawing, from: number, to: number, start: number, ms: number}|null} the movement that is shown, in parts of a tick */
  #moving = null;

  /** @param {Element} box @param {import("../state/store.js").LaneInfo} info @param {() => void} redraw */
  constructor(box, info, redraw) {
    this.info = info;
    this.shape = formOf(info);
    this.box = box;
    this.redraw = redraw;
    this.zoom = new Zoom();
    const svgElement = (this.svg = /** @type {Element} */ (box.querySelector("svg")));
    this.frame = new Frame(svgElement, info);
    const layer = (/** @type {string} */ name) => /** @type {Element} */ (svgElement.querySelector(`.${name}`));
    this.layers = { trails: layer("trails"), dots: layer("dots"), trays: layer("trays") };
    this.overlay = new Overlay(/** @type {HTMLCanvasElement} */ (box.querySelector("canvas")), this.zoom, redraw);
    this.close = this.shape === "ring" ? new Close(svgElement) : null;
    this.chain = traitsOf(info.algorithm).sorted ? svgElement.querySelector(".chain") : null;
    this.heat = new Heat();
    this.legend = /** @type {HTMLElement} */ (box.querySelector(".heat-legend"));
    this.most = /** @type {Element} */ (box.querySelector(".heat-most"));
  }

  /** Reports whether drawing the lane will take long, because the bins of its heat map must be computed. @param {Lane} lane */
  isCold(lane) { return lane.mode === "counts" && this.shape === "ring" && this.overlay.side > 0 && !this.heat.ready(this.overlay, lane.levels); }

  /** Draws the lane's current state. If a movement leads to it, advance draws the timers. @param {Lane} lane @param {Scene} scene */
  draw(lane, scene) {
    const rows = this.shape === "rows" ? rowsShown(this.info.algorithm, lane, scene.until) : 0;
    const zoom = this.zoom.step;
    this.#look();
    this.frame.update(lane, sizeOf(lane, this.info.shape), scene.start, scene.dial, rows, zoom);
    this.frame.time(lane);
    const heated = lane.mode === "counts" && this.shape === "ring";
    this.legend.toggleAttribute("hidden", !heated);
    /** @type {import("./spots.js").Form} */
    const form = this.form = { shape: this.shape, arity: this.info.arity, levels: lane.levels, size: sizeOf(lane, this.info.shape), rows, zoom, turns: turnsOf(lane, scene) };
    if (this.shape === "slices") form.slices = slicesOf(this.info, lane, scene.start);
    this.close?.update(lane, this.zoom, scene.start, form.turns);
    const now = performance.now();
    clearTimeout(this.#late);
    if (scene.did === null && lane.mode === "full" && lane.index.size > FACE_DOTS) {
      if (this.#at && (now - this.#drawnAt < DISCS_MS.lane || now - discsAt < DISCS_MS.any)) {
        this.#late = setTimeout(this.redraw, DISCS_MS.lane); // unless another drawing comes first
        return;
      }
      this.#drawnAt = discsAt = now;
    }
    const before = this.#drawing;
    const drawing = this.#drawing = this.#drawingOf(lane, scene, form);
    if (this.chain) setAttr(this.chain, "d", lane.mode === "full" && lane.index.size <= FACE_DOTS ? chainsOf(lane, form) : "");
    if (scene.at !== this.#at) this.#animated = "";
    if (scene.at !== this.#at || scene.did === null) this.#moving = null;
    this.#at = scene.at;
    if (scene.did !== null && scene.animate > 0 && this.#animated !== scene.at) {
      this.#animated = scene.at;
      const [forward, back] = [Math.min(scene.animate, DURATION.forward), Math.min(scene.animate, DURATION.back)];
      if (calm()) this.#moving = null;
      else this.#moving = scene.back && before ? { drawing: before, from: REST, to: 0, start: now, ms: back } : { drawing, from: 0, to: REST, start: now, ms: forward };
    }
    this.#lane = lane;
    if (!this.#moving) this.#rest();
    if (this.overlay.side > 0) this.#paintCanvas(lane, scene, heated);
  }

  /** @param {Lane} lane @param {Scene} scene @param {import("./spots.js").Form} form @returns {Drawing} */
  #drawingOf(lane, { until, start, tick, did, since, name, due, followed }, form) {
    const count = (/** @type {number} */ kind) => did?.kinds.get(kind) ?? 0;
    const run = { until, start, lanes: [{ ...this.info, levels: lane.levels }] };
    const scene = stepScene(lane, run, { tick, rows: did?.all ?? [], since, fired: count(KIND.expire), rejected: count(KIND.reject), name, due });
    /** @type {{state: any, form: import("./spots.js").Form}} */
    let last = { state: null, form };
    const many = scene.before.timers.size > FACE_DOTS || scene.after.timers.size > FACE_DOTS;
    const drawn = boxForm(scene.win, 0, this.shape, (state) => {
      if (last.state !== state) last = { state, form: { ...form, size: form.shape === "heap" ? edgeCount("heap", heapSize(state), form.arity) : many && form.shape === "ring" ? 1 : state.timers.size } };
      return last.form;
    });
    const alone = did && (lane.mode === "counts" || drawn.many(scene.before) || drawn.many(scene.after));
    return { form: { ...drawn, high: 400 }, scene, flows: alone ? drawFlows(did.flows, form, this.zoom.step) : [], followed, name };
  }

  /** Draws the timers of a step. @param {Drawing} drawing @param {number} part part of the tick; REST is its end */
  #paintStep({ form, scene, flows, followed, name }, part) {
    const look = { hot: followed, pointed: null, numbers: false, held: null, word: t, zoom: this.zoom.step, title: name };
    const at = { ...scene, part, fade: part };
    const { nodes, trails, dots } = drawTimers(form, at, look);
    const words = trayWords(form, at, look);
    this.dots = dots;
    paint(this.layers.dots, nodes);
    paint(this.layers.trays, words);
    paint(this.layers.trails, flows.length > 0 ? [...trails, ["g", { class: "flows", opacity: part < REST ? fix(part / REST) : undefined }, flows]] : trails);
    this.box.toggleAttribute("data-cornered", words.length > 0 || scene.after.places.some(({ level, slot }) => level === -1 && slot === 0));
  }

  /** Draws a frame of the movement that is shown. Returns whether there are more. @param {number} now time as performance.now() */
  advance(now) {
    const moving = this.#moving;
    if (!moving || !this.#drawing) return false;
    const u = (now - moving.start) / moving.ms;
    if (u < 1) {
      this.#paintStep(moving.drawing, mix(moving.from, moving.to, Math.max(0, u)));
      this.frame.sweep(this.#lane, ease(Math.max(0, u)));
      return true;
    }
    this.#moving = null;
    this.#rest();
    return false;
  }

  /** Draws the step at rest. */
  #rest() {
    if (this.#drawing) this.#paintStep(this.#drawing, REST);
    this.frame.sweep(this.#lane, 1);
  }

  /** Draws the canvas. @param {Lane} lane @param {Scene} scene @param {boolean} heated whether the numbers of timers in slots are drawn */
  #paintCanvas(lane, scene, heated) {
    if (heated) setText(this.most, this.heat.draw(this.overlay, lane, scene.start, scene.dial));
    else this.overlay.clear();
    if (!scene.where || !this.form || !(heated || this.shape === "rows")) return;
    const { x, y } = middleOf(this.form, scene.where.level, scene.where.slot);
    this.overlay.mark(x, y);
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
    for (const dot of this.dots) {
      const away = Math.hypot(dot.x - x, dot.y - y) - dot.r;
      if (away < best.away) best = { id: dot.id, away };
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
