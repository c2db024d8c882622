// @ts-check
/**
 * The picture of a lane of the laboratory, which frame.js draws. If there are more than 2,000 timers, a heat map shows the
 * numbers of timers in the slots of rings instead.
 */
import { Overlay, Heat } from "./heat-canvas.js";
import { Zoom } from "./zoom.js";
import { formOf, rows, rowsShown } from "./rows.js";
import { columns, slicesOf } from "./slices.js";
import { dial, words } from "./dial.js";
import { drawFlows } from "./flows.js";
import { frame } from "./frame.js";
import { boxForm, edgeCount, heapSize } from "./form.js";
import { fix, mix, ringsOf, sector } from "./face.js";
import { paint } from "./nodes.js";
import { DURATION, REST } from "./scene.js";
import { stepScene } from "./step.js";
import { handSlot, ringCount } from "../state/lane-state.js";
import { KIND } from "../state/kinds.js";
import { traitsOf } from "../state/traits.js";
import { CHAIN_MAX, FACE_DOTS } from "./dimensions.js";
import { edgesPath, middleOf, spotsOf } from "./spots.js";
import { COUNT } from "../core/protocol.js";
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
 * @property {import("../state/activity.js").Activity|null} activity activity of the lane at the position; null if
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

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {{form: import("./form.js").Form, scene: StepScene, moved: boolean, kept: import("./frame.js").Timers|null, followed: number, name: (id: number) => string}} Drawing what is drawn of a step; moved: whether the hands moved in it */

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
  /** @type {import("./frame.js").Timers|null} the timers as drawn last */
  #timers = null;
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
    this.svg = /** @type {Element} */ (box.querySelector("svg"));
    /** What another part of the page draws above the picture. @type {Element|null} */
    this.layer = null;
    this.overlay = new Overlay(/** @type {HTMLCanvasElement} */ (box.querySelector("canvas")), this.zoom, redraw);
    this.heat = new Heat();
    this.legend = /** @type {HTMLElement} */ (box.querySelector(".heat-legend"));
    this.most = /** @type {Element} */ (box.querySelector(".heat-most"));
  }

  /** Reports whether drawing the lane will take long, because the bins of its heat map must be computed. @param {Lane} lane */
  isCold(lane) { return lane.mode === "counts" && this.shape === "ring" && this.overlay.side > 0 && !this.heat.ready(this.overlay, lane.levels); }

  /** Draws the lane's current state. If a movement leads to it, advance draws the timers. @param {Lane} lane @param {Scene} scene */
  draw(lane, scene) {
    this.#look();
    const heated = lane.mode === "counts" && this.shape === "ring";
    this.legend.toggleAttribute("hidden", !heated);
    const now = performance.now();
    clearTimeout(this.#late);
    const many = scene.activity === null && lane.mode === "full" && lane.index.size > FACE_DOTS;
    const late = many && this.#at !== "" && (now - this.#drawnAt < DISCS_MS.lane || now - discsAt < DISCS_MS.any);
    if (late) this.#late = setTimeout(this.redraw, DISCS_MS.lane); // unless another drawing comes first
    else if (many) this.#drawnAt = discsAt = now;
    const before = this.#drawing;
    const drawing = this.#drawing = this.#drawingOf(lane, scene, late);
    if (scene.at !== this.#at) this.#animated = "";
    if (scene.at !== this.#at || scene.activity === null) this.#moving = null;
    this.#at = scene.at;
    if (this.#moving?.to === REST) this.#moving.drawing = drawing; // what the user changed meanwhile, such as the dial
    if (scene.activity !== null && scene.animate > 0 && this.#animated !== scene.at) {
      this.#animated = scene.at;
      const [forward, back] = [Math.min(scene.animate, DURATION.forward), Math.min(scene.animate, DURATION.back)];
      if (calm()) this.#moving = null;
      else this.#moving = scene.back && before ? { drawing: before, from: REST, to: 0, start: now, ms: back } : { drawing, from: 0, to: REST, start: now, ms: forward };
    }
    if (!this.#moving) this.#rest();
    if (this.overlay.side > 0) this.#paintCanvas(lane, scene, heated);
  }

  /** @param {Lane} lane @param {Scene} scene @param {boolean} late whether timers stay as they were drawn @returns {Drawing} */
  #drawingOf(lane, { until, start, tick, activity, since, name, due, followed, at, ...how }, late) {
    const { info, shape } = this;
    const count = (/** @type {number} */ kind) => activity?.kinds.get(kind) ?? 0;
    const run = { until, start, lanes: [{ ...info, levels: lane.levels }] };
    const crowded = lane.mode === "counts";
    const scene = stepScene(lane, run, { tick, rows: activity?.all ?? [], since, fired: count(KIND.expire), rejected: count(KIND.reject), name, due }, crowded || late);
    const { after } = scene;
    /** @type {import("./spots.js").Form} */
    const form = this.form = { shape, arity: info.arity, levels: lane.levels, size: sizeOf(after.places, info.shape), rows: shape === "rows" ? rowsShown(info.algorithm, after, until) : 0, zoom: this.zoom.step, turns: turnsOf(lane, how.dial, start) };
    const slices = shape === "slices" ? (form.slices = slicesOf(info, after, start)) : null;
    /** @type {{state: any, form: import("./spots.js").Form}} */
    let last = { state: null, form };
    const many = scene.before.timers.size > FACE_DOTS || after.timers.size > FACE_DOTS;
    const drawn = boxForm(scene.win, 0, shape, (state) => {
      if (last.state !== state) last = { state, form: { ...form, size: form.shape === "heap" ? edgeCount("heap", heapSize(state), form.arity) : many && form.shape === "ring" ? 1 : state.timers.size } };
      return last.form;
    });
    const alone = activity && (crowded || drawn.many(scene.before) || drawn.many(after));
    const flows = alone ? drawFlows(activity.flows, form, this.zoom.step) : [];
    const chain = traitsOf(info.algorithm).sorted && after.timers.size <= FACE_DOTS ? chainsOf(after.places, form) : "";
    const before = this.#drawing;
    return {
      scene, followed, name, kept: late ? this.#timers : null, moved: at === this.#at ? Boolean(before?.moved) : before?.scene.after.now === lane.now - 1,
      form: {
        ...drawn, high: 400,
        below: (at) => [
          ...(shape === "ring" ? dial(info, form, at, this.zoom) : shape === "rows" ? rows(info, form, at) : slices ? columns(info, slices, at) : [plain(info, form, crowded)]),
          ...(chain ? [/** @type {Node_} */ (["path", { class: "chain", d: chain }])] : []),
        ],
        above: () => words(info, shape, { now: after.now, pending: after.counts[COUNT.live], levels: after.levels }),
        flows: ({ part }) => (flows.length > 0 ? [["g", { class: "flows", opacity: part < REST ? fix(part / REST) : undefined }, flows]] : []),
      },
    };
  }

  /** Returns a step as elements. @param {Drawing} drawing @param {number} part part of the tick; REST is its end */
  #frame({ form, scene, moved, kept, followed, name }, part) {
    const look = { hot: followed, pointed: null, numbers: false, held: null, word: t, zoom: this.zoom.step, title: name, kept };
    const at = { ...scene, part, fade: part, clock: moved ? scene.after.now + part : scene.clock };
    return frame(form, at, look);
  }

  /** Returns the elements of the picture at rest. Shades of slots, which the page shows on a canvas, are among them. @returns {Node_[]} */
  get nodes() {
    if (!this.#drawing) return [];
    const [back, ...others] = this.#frame(this.#drawing, REST).nodes;
    const { after } = this.#drawing.scene;
    return after.crowded && this.shape === "ring" ? [back, ["g", {}, shades(after)], ...others] : [back, ...others];
  }

  /** Draws a step. @param {Drawing} drawing @param {number} part part of the tick; REST is its end */
  #paintStep(drawing, part) {
    const { scene } = drawing;
    const { nodes, dots, drawn } = this.#frame(drawing, part);
    this.#timers = drawn;
    this.dots = dots;
    paint(this.svg, nodes);
    if (this.layer) this.svg.append(this.layer);
    const { counts, places } = scene.after;
    this.box.toggleAttribute("data-cornered", counts[COUNT.expired] > 0 || counts[COUNT.rejected] > 0 || places.some(({ level, slot }) => level === -1 && slot === 0));
  }

  /** Shows the time and the number of pending timers of a lane whose picture is drawn later. @param {Lane} lane */
  time({ now, counts, levels }) {
    const box = this.svg.querySelector(":scope > .words");
    if (box) paint(box, words(this.info, this.shape, { now, pending: counts[COUNT.live], levels }));
  }

  /** Draws a frame of the movement that is shown. Returns whether there are more. @param {number} now time as performance.now() */
  advance(now) {
    const moving = this.#moving;
    if (!moving || !this.#drawing) return false;
    const u = (now - moving.start) / moving.ms;
    if (u < 1) {
      this.#paintStep(moving.drawing, mix(moving.from, moving.to, Math.max(0, u)));
      return true;
    }
    this.#moving = null;
    this.#rest();
    return false;
  }

  /** Draws the step at rest. */
  #rest() {
    if (this.#drawing) this.#paintStep(this.#drawing, REST);
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
    this.box.classList.toggle("close-up", this.zoom.on && this.shape === "ring");
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

/** Returns the number of nodes of a heap, or the number of timers of another lane. @param {{slot: number, count: number}[]} places @param {string} shape */
const sizeOf = (places, shape) => places.reduce((size, { slot, count }) => (shape === "heap" ? Math.max(size, slot + 1) : size + count), 0);

/** Returns an SVG path that connects the timers of each slot in order, for slots that are sorted. @param {{level: number, slot: number, count: number}[]} places @param {import("./spots.js").Form} form */
function chainsOf(places, form) {
  let path = "";
  for (const place of places) {
    if (place.count > CHAIN_MAX) continue;
    const spot = spotsOf(form, place);
    for (let j = 1; j < place.count; j++) path += `M${fix(spot(j - 1).x)} ${fix(spot(j - 1).y)}L${fix(spot(j).x)} ${fix(spot(j).y)}`;
  }
  return path;
}

/** Returns the edges between the timers of a list or a heap or, if the timers are not drawn, bars. @param {{shape: string, arity: number}} info @param {import("./spots.js").Form} form @param {boolean} crowded @returns {Node_} */
function plain({ shape, arity }, { size }, crowded) {
  const edges = /** @type {Node_} */ (["path", { class: "edge", d: crowded ? "" : edgesPath(shape, edgeCount(shape, size, arity), arity) }]);
  return ["g", { class: "frame" }, [edges, ...(crowded ? bars(shape, size, arity) : [])]];
}

/**
 * Returns the bars that represent a list or a heap whose timers are not drawn. A heap has a bar for each row, whose width
 * shows how full the row is. A list has one bar, whose height grows with the number of timers. It must agree with blocks in
 * templates/heat.go.
 * @param {string} shape @param {number} size @param {number} arity @returns {Node_[]}
 */
function bars(shape, size, arity) {
  if (shape === "list") return [["rect", { class: "block", x: 24, y: 64, width: 352, height: fix(Math.min(300, 24 * Math.log2(size + 1))) }]];
  /** @type {Node_[]} */
  const list = [];
  for (let first = 0, row = 1, depth = 0; first < size; first += row, row *= arity, depth++) {
    list.push(["rect", { class: "block", x: 16, y: 64 + 16 * depth, width: fix(368 * Math.min(1, (size - first) / row)), height: 12 }]);
  }
  return list;
}

/** Returns the slots that have timers, shaded by their number. @param {import("./scene.js").Snapshot} state @returns {Node_[]} */
function shades({ places, levels }) {
  const most = Math.ceil(Math.log2(Math.max(2, ...places.map(({ count }) => count))));
  return places.filter(({ level }) => level >= 0).map(({ level, slot, count }) => ["path", { class: "heat", d: sector(ringsOf(levels)[level], slot), "fill-opacity": fix(0.12 + (0.88 * Math.log2(count)) / most) }]);
}

/** Returns the slot at the top of each level, or undefined if the hands turn instead of the dials. @param {Lane} lane @param {boolean} dial @param {number} start */
function turnsOf(lane, dial, start) {
  return dial ? lane.levels.slice(0, ringCount(lane.levels)).map((level) => handSlot(level, lane.now, start)) : undefined;
}
