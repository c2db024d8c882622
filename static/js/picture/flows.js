// @ts-check
/**
 * Cascades of more timers than are drawn by themselves: an arrow for each pair of slots, with a width that depends on the
 * number of timers, and these numbers. They depend only on the activity at the cursor.
 */
import { TAU, fix, point as around, ringsOf } from "./face.js";
import { FlowCounter } from "../state/activity.js";
import { belowCell } from "./rows.js";
import { middleOf } from "./spots.js";

/** @typedef {import("../state/activity.js").Flow} Flow */
/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {{x: number, y: number}} Point a point in units of the picture */

/** Width of the arrow of the flow with the most timers, in units. */
const WIDE = 9;
/** Minimum width of the arrow of a flow, in units. */
const NARROW = 1.2;
/** Distance from the end of an arrow to the centre of its slot, in units. */
const SHORT = 9;
/** Curvature of an arrow, as a fraction of its length. */
const BEND = 0.18;
/** Maximum number of flows that are drawn. If there are more, flows between adjacent slots are merged. */
const DRAWN_MAX = 64;
/** Maximum number of flows for which the number of timers is shown. */
const NUMBERED = 24;
/** Distance from the rim to the number of timers that enter a slot, in units. */
const INSIDE = 6;
/** Font size of the number of timers that enter a slot, in units. */
const ARRIVED = 11;
/** Font size of the number of timers that left a slot, in units. */
const DEPARTED = 11.5;

/**
 * Draws the flows of a lane.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom magnification @returns {Node_[]}
 */
export function drawFlows(flows, form, zoom) {
  const shown = flows.filter(({ from, to }) => isDrawn(form, from) && isDrawn(form, to));
  const counter = new FlowCounter(DRAWN_MAX); // merges flows between adjacent slots
  for (const flow of shown) counter.add(flow);
  const grouped = counter.list;
  const most = grouped.reduce((n, { count }) => Math.max(n, count), 0);
  return [
    ...grouped.flatMap(({ from, to, count }) => arrow(middleOf(form, from.level, from.slot), middleOf(form, to.level, to.slot), Math.max(NARROW, (WIDE * count) / most), zoom)),
    ...arrivals(grouped, form, zoom), ...departures(shown, form, zoom),
  ];
}

/** Reports whether a picture shows a place. @param {Form} form @param {{level: number, slot: number}} place */
function isDrawn({ levels }, { level, slot }) {
  return levels.some(([number, slots]) => number === level && (level < 0 || slot < slots));
}

/** Returns the control point of a curve between two points. The curve does not leave the picture. @param {Point} from @param {Point} to @returns {Point} */
function bendOf(from, to) {
  const inside = (/** @type {number} */ v) => Math.min(396, Math.max(4, v));
  return { x: inside((from.x + to.x) / 2 - (to.y - from.y) * BEND), y: inside((from.y + to.y) / 2 + (to.x - from.x) * BEND) };
}

/** Returns a curved arrow. @param {Point} from @param {Point} to @param {number} width units @param {number} zoom magnification @returns {Node_[]} */
function arrow(from, to, width, zoom) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const bend = bendOf(from, to);
  const tip = Math.atan2(to.y - bend.y, to.x - bend.x);
  const back = Math.min(SHORT, length / 3) / zoom;
  const end = { x: to.x - Math.cos(tip) * back, y: to.y - Math.sin(tip) * back };
  const size = Math.min(2.4, Math.max(0.6, width * 0.32)) / zoom;
  return [
    ["path", { class: "trail flow", d: `M${point(from)}Q${point(bend)} ${point(end)}`, "stroke-width": fix(width / zoom, zoom) }],
    ["path", { class: "trailhead", d: "M-3 -4L6 0L-3 4Z", transform: `translate(${point(end)}) rotate(${fix((tip * 180) / Math.PI)}) scale(${Math.round(size * 1000) / 1000})` }],
  ];
}

/** Formats a point of a path. @param {Point} p */
function point({ x, y }) { return `${fix(x)} ${fix(y)}`; }

/**
 * Returns SVG texts with the number of timers that enter each slot. Their positions are chosen so that they do not
 * cover timers. Slots that a single timer enters have no number.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom @returns {Node_[]}
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
    return ["text", { class: "flowno arrived", x: fix(x), y: fix(y), "font-size": fix(ARRIVED / zoom, zoom) }, String(count)];
  });
}

/**
 * Returns the position of the number of timers that enter a slot. In a ring it is beside the slot number, in
 * the part without timers. In a row it is below the cell. Otherwise it is in the middle of the arrow.
 * @param {Form} form @param {Flow} flow
 */
function besideOf(form, { from, to: { level, slot }, count }) {
  if (form.shape === "rows" && level >= 0) return belowCell(form, level, slot);
  if (form.shape !== "ring" || level < 0) {
    const [a, b] = [middleOf(form, from.level, from.slot), middleOf(form, level, slot)];
    const bend = bendOf(a, b);
    return { x: (a.x + 2 * bend.x + b.x) / 4, y: (a.y + 2 * bend.y + b.y) / 4 };
  }
  const { outer, slots } = ringsOf(form.levels)[level];
  const radius = level > 0 ? outer : outer - INSIDE; // on the border between two rings, as the slot numbers
  const aside = level > 0 ? Math.min(0.34, ((9 + 4.2 * String(count).length) * slots) / (TAU * radius)) : 0; // of a slot: beside its number
  const [x, y] = around(radius, slot - (form.turns?.[level] ?? 0) + aside, slots);
  return { x, y };
}

/**
 * Returns SVG texts, at the centres of the slots, with the number of timers that left each slot. Side lists, and
 * slots that a single timer left, have no number.
 * @param {Flow[]} flows @param {Form} form @param {number} zoom @returns {Node_[]}
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
    return ["text", { class: "flowno", x: fix(x), y: fix(y), "font-size": fix(DEPARTED / zoom, zoom) }, String(count)];
  });
}
