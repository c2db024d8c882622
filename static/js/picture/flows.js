// @ts-check
/**
 * The number of timers that cascaded between slots at the cursor: an arrow per pair of
 * slots, whose width is the share of the lane's cascaded timers. It is derived from the
 * server's counts, so a position always has the same arrows, however it was reached.
 */
import { fix } from "./geometry.js";
import { middleOf } from "./spots.js";
import { svg } from "../core/dom.js";

/** @typedef {import("../state/activity.js").Flow} Flow */
/** @typedef {import("./spots.js").Form} Form */
/** @typedef {{x: number, y: number}} Point */

/** Width of an arrow that represents all timers, and minimum width, in units. */
const WIDE = 11;
const NARROW = 1.3;
/** Curvature of an arrow, as a share of its length. */
const BEND = 0.18;
/** Distance from the end of an arrow to the centre of its slot, in units. */
const SHORT = 9;

export class Flows {
  #drawn = "";

  /** @param {Element} layer */
  constructor(layer) {
    this.layer = layer;
  }

  /** Redraws the arrows if they changed. @param {Flow[]} flows @param {Form} form @param {number} zoom magnification */
  update(flows, form, zoom) {
    const shown = flows.filter(({ from, to }) => isDrawn(form, from) && isDrawn(form, to));
    const key = shown.length === 0 ? "" : JSON.stringify([shown, form.levels, form.rows, form.turns, zoom]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const total = shown.reduce((sum, { count }) => sum + count, 0);
    const arrows = shown.flatMap((flow) => arrow(middleOf(form, flow.from.level, flow.from.slot), middleOf(form, flow.to.level, flow.to.slot), flow.count / total, zoom));
    this.layer.replaceChildren(...arrows, ...numbers(shown, form, zoom));
  }
}

/** Reports whether a picture shows the place. @param {Form} form @param {{level: number, slot: number}} place */
function isDrawn({ levels }, { level, slot }) {
  return levels.some(([number, slots]) => number === level && (level < 0 || slot < slots));
}

/** Returns a curved arrow. @param {Point} from @param {Point} to @param {number} share of the lane's cascaded timers, 0 to 1 @param {number} zoom */
function arrow(from, to, share, zoom) {
  const width = Math.max(NARROW, WIDE * share) / zoom;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = { x: (from.x + to.x) / 2 - dy * BEND, y: (from.y + to.y) / 2 + dx * BEND };
  const tip = Math.atan2(to.y - bend.y, to.x - bend.x);
  const back = Math.min(SHORT, length / 3) / zoom;
  const end = { x: to.x - Math.cos(tip) * back, y: to.y - Math.sin(tip) * back };
  return [
    svg("path", { class: "trail", d: `M${point(from)}Q${point(bend)} ${point(end)}`, "stroke-width": fix(width, zoom) }),
    svg("path", { class: "trail-head", d: "M-3 -4L6 0L-3 4Z", transform: `translate(${point(end)}) rotate(${fix((tip * 180) / Math.PI)}) scale(${Math.max(0.7, WIDE * share * 0.25) / zoom})` }),
  ];
}

/** Formats a point of a path. @param {Point} p */
function point({ x, y }) { return `${fix(x)} ${fix(y)}`; }

/** Returns the number of timers that left each slot, drawn in the slot if it is more than one. @param {Flow[]} flows @param {Form} form @param {number} zoom */
function numbers(flows, form, zoom) {
  /** @type {Map<string, {place: Flow["from"], count: number}>} */
  const left = new Map();
  for (const { from, count } of flows) {
    const one = left.get(`${from.level}/${from.slot}`) ?? { place: from, count: 0 };
    one.count += count;
    left.set(`${from.level}/${from.slot}`, one);
  }
  return [...left.values()].filter(({ count }) => count > 1).map(({ place, count }) => {
    const { x, y } = middleOf(form, place.level, place.slot);
    return svg("text", { x: fix(x), y: fix(y), "font-size": fix(17 / zoom, zoom) }, String(count));
  });
}
