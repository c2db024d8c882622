// @ts-check
/**
 * Draws cascades as arrows. If few timers cascade, each has an arrow. Otherwise each pair of slots has an
 * arrow with the number of timers, and a width that depends on that number. The arrows depend only on the
 * activity at the cursor, not on how the cursor got there.
 */
import { CENTRE } from "./dimensions.js";
import { dotRadii, fix, handPath, ringRadii, slotAngle } from "./geometry.js";
import { FlowCounter } from "../state/flow-counter.js";
import { ringCount } from "../state/lane-state.js";
import { ARRIVE, GROW, RISE, SHRINK, bendOf, travel, visible } from "./motion.js";
import { belowCell } from "./rows.js";
import { middleOf } from "./spots.js";
import { svg } from "../core/dom.js";

/** @typedef {import("../state/activity.js").Flow} Flow */
/** @typedef {import("./spots.js").Form} Form */
/** @typedef {{x: number, y: number}} Point a point in units of the picture */
/** @typedef {{from: Point, to: Point, r: number}} Trail arrow of one timer; r is the radius of its dot */

/** Width of the arrow of the flow with the most timers, in units. */
const WIDE = 9;
/** Minimum width of the arrow of a flow, in units. */
const NARROW = 1.2;
/** Width of an arrow that represents a single timer, in units. */
const ONE = 1.3;
/** Distance from the end of an arrow to the centre of its slot, in units. */
const SHORT = 9;
/** Maximum number of flows that are drawn. If there are more, flows between adjacent slots are merged. */
const DRAWN_MAX = 64;
/** Maximum number of flows for which the number of timers is shown. */
const NUMBERED = 24;
/** Maximum number of slots whose outlines are highlighted as the start of a cascade. */
const SOURCES_MAX = 8;

/** Font size of the number of timers that enter a slot, in units. */
const ARRIVED = 11;
/** Font size of the number of timers that left a slot, in units. */
const DEPARTED = 11.5;
/** Lower limit of the radius of a disc that shows a number of timers, in units. */
const SMALL = 8;
/** Radius of the disc that shows the largest number of timers, in units. */
const LARGE = 14;
/** Font size of the number on a disc, in units. */
const CARRIED = 10;

/**
 * Approximate number of discs if there are more than NUMBERED flows. In that case, adjacent flows from one
 * slot to one level share a disc.
 */
const LOADS_MAX = 16;

/** @typedef {{from: Point, to: Point, count: number, r: number}} Load disc that shows the number of timers of a flow and moves along its arrow */

export class Flows {
  #drawn = "";
  #arrows = svg("g", { class: "arrows" });
  /** The previous arrows. */
  #old = this.#arrows;
  #ends = svg("g", { class: "ends" });
  #sources = svg("g", {});
  #departed = svg("g", {});
  #zoom = 1;
  /** The loads of the drawn flows. There are none if each timer has an arrow of its own. @type {Load[]} */
  #loads = [];
  /** The loads of the flows that were drawn before. @type {Load[]} */
  #before = [];
  /** The drawn flows. @type {Flow[]} */
  #flows = [];
  /** The previous flows in the reverse direction. @type {Flow[]} */
  before = [];

  /** @param {Element} layer */
  constructor(layer) {
    this.layer = layer;
    layer.replaceChildren();
  }

  /**
   * Redraws the arrows if they changed.
   * @param {Flow[]} flows @param {Trail[]} trails trails of the timers; if empty, flows are drawn @param {Form} form
   * @param {number} zoom magnification
   */
  update(flows, trails, form, zoom) {
    const shown = flows.filter(({ from, to }) => isDrawn(form, from) && isDrawn(form, to));
    const key = shown.length === 0 ? "" : JSON.stringify([shown, trails, form.levels, form.rows, form.turns, zoom]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#zoom = zoom;
    [this.#old, this.#before, this.#loads] = [this.#arrows, this.#loads, []];
    this.before = this.#flows.map(({ from, to, count }) => ({ from: to, to: from, count }));
    this.#flows = shown;
    if (key === "") {
      this.#arrows = svg("g", { class: "arrows" });
      this.layer.replaceChildren();
      return;
    }
    const grouped = groups(shown);
    const most = grouped.reduce((n, { count }) => Math.max(n, count), 0);
    if (trails.length === 0) this.#loads = loadsOf(grouped, form);
    const all = trails.length > 0 ? trails.map((one) => arrow(one.from, one.to, ONE, one.r + 1.5, zoom))
      : grouped.map((flow) => arrow(middleOf(form, flow.from.level, flow.from.slot), middleOf(form, flow.to.level, flow.to.slot), Math.max(NARROW, (WIDE * flow.count) / most), SHORT, zoom));
    this.#arrows = svg("g", { class: trails.length > 0 ? "arrows" : "arrows wide" }, ...all.map(({ line }) => line));
    this.#ends = svg("g", { class: "ends" }, ...all.map(({ head }) => head), ...(trails.length > 0 ? [] : arrivals(grouped, form, zoom)));
    this.#sources = svg("g", {}, svg("path", { class: "from", d: outlines(shown, form, zoom) }));
    this.#departed = svg("g", {}, ...departures(shown, form, zoom));
    this.layer.replaceChildren(this.#sources, this.#arrows, this.#ends, this.#departed);
  }

  /**
   * Animates the arrows, which grow from their start to their end.
   * @param {import("./motion.js").Motion} motion @param {number} ms
   * @param {boolean} whole whether the loads move along the arrows
   */
  animate(motion, ms, whole) {
    if (!this.#drawn) return;
    motion.play(this.#sources, RISE, ms);
    motion.play(this.#departed, RISE, ms);
    motion.play(this.#arrows, GROW, ms);
    motion.play(this.#ends, ARRIVE, ms);
    if (whole) this.#moveLoads(this.#loads, motion, ms);
  }

  /**
   * Animates loads along their arrows, on a layer above the canvas that contains the timers.
   * @param {Load[]} loads @param {import("./motion.js").Motion} motion @param {number} ms
   */
  #moveLoads(loads, motion, ms) {
    const layer = svg("g", { class: "loads" });
    loads.forEach(({ from, to, count, r }, k) => {
      const number = svg("text", { "font-size": fix(CARRIED / this.#zoom, this.#zoom) }, String(count));
      const disc = svg("g", {}, svg("circle", { r: fix(r / this.#zoom, this.#zoom) }), number);
      const load = svg("g", {}, disc);
      layer.append(load);
      motion.play(load, travel([from, to], true, k, loads.length, false), ms);
      motion.play(disc, visible(k, loads.length), ms);
    });
    const picture = this.layer.closest("svg");
    if (loads.length === 0 || !picture) return;
    const above = svg("svg", { class: "above", "aria-hidden": "true", viewBox: picture.getAttribute("viewBox") ?? "" }, layer);
    picture.parentElement?.append(above);
    motion.then(() => above.remove());
  }

  /** Animates the arrows of an undone step in the reverse direction. @param {import("./motion.js").Motion} motion @param {number} ms */
  undo(motion, ms) {
    if (!this.#old.hasChildNodes() || this.#old === this.#arrows) return;
    const departedDisc = this.#old;
    this.layer.append(departedDisc);
    motion.play(departedDisc, SHRINK, ms);
    this.#moveLoads(this.#before.map((load) => ({ ...load, from: load.to, to: load.from })), motion, ms);
    motion.then(() => departedDisc.remove());
  }
}

/** Merges flows between adjacent slots until there are at most DRAWN_MAX. @param {Flow[]} flows */
function groups(flows) {
  const counter = new FlowCounter(DRAWN_MAX);
  for (const flow of flows) counter.add(flow);
  return counter.list;
}

/**
 * Returns the loads of flows. If there are many flows, adjacent ones share a load, so that the numbers can be
 * read.
 * @param {Flow[]} flows @param {Form} form @returns {Load[]}
 */
function loadsOf(flows, form) {
  const size = flows.length > NUMBERED ? Math.ceil(flows.length / LOADS_MAX) : 1;
  const places = (/** @type {Flow} */ { from, to }) => [from.level, from.slot, to.level, to.slot];
  const sorted = [...flows].sort((a, b) => places(a).map((v, k) => v - places(b)[k]).find((d) => d !== 0) ?? 0);
  /** @type {Flow[][]} */
  const together = [];
  for (const flow of sorted) {
    const last = together.at(-1);
    if (last && last.length < size && String(places(last[0]).slice(0, 3)) === String(places(flow).slice(0, 3))) last.push(flow);
    else together.push([flow]);
  }
  const all = together.map((list) => ({ ...list[list.length >> 1], count: list.reduce((sum, { count }) => sum + count, 0) }));
  const most = Math.max(...all.map(({ count }) => count));
  return all.map(({ from, to, count }) => ({
    from: middleOf(form, from.level, from.slot), to: middleOf(form, to.level, to.slot), count, r: SMALL + (LARGE - SMALL) * Math.sqrt(count / most),
  }));
}

/** Reports whether a picture shows a place. @param {Form} form @param {{level: number, slot: number}} place */
function isDrawn({ levels }, { level, slot }) {
  return levels.some(([number, slots]) => number === level && (level < 0 || slot < slots));
}

/**
 * Returns a curved arrow.
 * @param {Point} from @param {Point} to @param {number} width units
 * @param {number} short distance at which the arrow ends before `to`, in units @param {number} zoom magnification
 */
function arrow(from, to, width, short, zoom) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const bend = bendOf(from, to);
  const tip = Math.atan2(to.y - bend.y, to.x - bend.x);
  const back = Math.min(short, length / 3) / zoom;
  const end = { x: to.x - Math.cos(tip) * back, y: to.y - Math.sin(tip) * back };
  const size = Math.min(2.4, Math.max(0.6, width * 0.32)) / zoom;
  return {
    line: svg("path", { class: "trail", d: `M${point(from)}Q${point(bend)} ${point(end)}`, pathLength: 1, "stroke-width": fix(width / zoom, zoom) }),
    head: svg("path", { class: "trail-head", d: "M-3 -4L6 0L-3 4Z", transform: `translate(${point(end)}) rotate(${fix((tip * 180) / Math.PI)}) scale(${Math.round(size * 1000) / 1000})` }),
  };
}

/** Formats a point of a path. @param {Point} p */
function point({ x, y }) { return `${fix(x)} ${fix(y)}`; }

/**
 * Returns, as an SVG path, the outlines of the slots that timers left.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom
 */
function outlines(flows, form, zoom) {
  if (form.shape !== "ring") return "";
  const left = new Map(flows.filter(({ from }) => from.level >= 0).map(({ from }) => [`${from.level}/${from.slot}`, from]));
  if (left.size > SOURCES_MAX) return "";
  const levels = ringCount(form.levels);
  return [...left.values()].map(({ level, slot }) => handPath(level, levels, slot, form.levels[level][1], zoom, form.turns?.[level])).join("");
}

/**
 * Returns SVG texts with the number of timers that enter each slot. Their positions are chosen so that they do not
 * cover timers. Slots that a single timer enters have no number.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom
 */
function arrivals(flows, form, zoom) {
  if (flows.length > NUMBERED) return [];
  /** @type {Map<string, Flow>} */
  const into = new Map();
  for (const flow of flows) {
    const key = `${flow.to.level}/${flow.to.slot}`;
    into.set(key, { ...flow, count: flow.count + (into.get(key)?.count ?? 0) });
  }
  return [...into.values()].filter(({ count }) => count > 1).map((flow) => {
    const { count } = flow;
    const { x, y } = besideOf(form, flow);
    return svg("text", { class: "arrived", x: fix(x), y: fix(y), "font-size": fix(ARRIVED / zoom, zoom) }, String(count));
  });
}

/**
 * Returns the position of the number of timers that enter a slot. In a ring it is beside the slot number, in
 * the part without timers. In a row it is below the cell. Otherwise it is in the middle of the arrow.
 * @param {Form} form @param {Flow} flow
 */
function besideOf(form, { from, to: { level, slot }, count }) {
  if (form.shape === "rows" && level >= 0) return belowCell(form, level, slot);
  const levels = ringCount(form.levels);
  const [, edge] = form.shape === "ring" && level >= 0 ? dotRadii(level, levels) : [0, 0];
  const outer = edge > 0 ? ringRadii(level, levels)[1] : 0;
  if (outer === edge) {
    const [a, b] = [middleOf(form, from.level, from.slot), middleOf(form, level, slot)];
    const bend = bendOf(a, b);
    return { x: (a.x + 2 * bend.x + b.x) / 4, y: (a.y + 2 * bend.y + b.y) / 4 };
  }
  const digits = String(count).length;
  const [radius, slots] = [(outer + edge) / 2, form.levels[level][1]];
  const breadth = (2 * Math.PI * radius) / slots;
  const aside = level > 0 ? Math.min(breadth * 0.34, 9 + 4.2 * digits) / radius : 0;
  const angle = slotAngle(slot, slots) - (form.turns?.[level] ?? 0) + aside;
  return { x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle) };
}

/**
 * Returns SVG texts, at the centres of the slots, with the number of timers that left each slot. Side lists, and
 * slots that a single timer left, have no number.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom
 */
function departures(flows, form, zoom) {
  /** @type {Map<string, {place: Flow["from"], count: number}>} */
  const left = new Map();
  for (const { from, count } of flows) {
    const one = left.get(`${from.level}/${from.slot}`) ?? { place: from, count: 0 };
    one.count += count;
    left.set(`${from.level}/${from.slot}`, one);
  }
  return [...left.values()].filter(({ place, count }) => count > 1 && place.level >= 0).map(({ place, count }) => {
    const { x, y } = middleOf(form, place.level, place.slot);
    return svg("text", { class: "left", x: fix(x), y: fix(y), "font-size": fix(DEPARTED / zoom, zoom) }, String(count));
  });
}
