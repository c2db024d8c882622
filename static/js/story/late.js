// @ts-check
/**
 * Pure functions that find the reason why a timer fired late. Either the rule of its lane delayed it, or its
 * slot was not processed in time, because the driver was stalled or the timer was scheduled after its due
 * tick.
 */
import { traitsOf } from "../state/traits.js";

/**
 * @typedef {import("../state/store.js").LaneInfo} LaneInfo
 *
 * @typedef {object} Fired a timer that fired late; ticks are absolute base ticks
 * @property {number} tick tick at which it fired @property {number} due due tick
 * @property {number} start start of the scenario
 * @property {number} width width of the slots of its level @property {number} slots number of slots of the level
 */

/** Returns the key of the text that states the reason. @param {LaneInfo} info @param {Fired} f */
export function lateness(info, f) {
  const { algorithm, params } = info;
  const unit = Number(params?.width ?? 1);
  const off = f.tick - f.due;
  if (traitsOf(algorithm).formula === "hand") return off > unit ? "why.expire.lanes.off" : "why.expire.late";
  if (params?.variant === "procinc") return off > unit ? "why.expire.missed" : "why.expire.counted";
  if (params?.migration && params.migration !== "full") return off < f.width ? "why.expire.migration" : "why.expire.missed";
  const rule = ruled(info, f, unit);
  if (params?.variant === "naive" && f.tick === rule + f.slots * unit) return "why.expire.naive";
  if (f.tick !== rule) return off === 1 && traitsOf(algorithm).past ? "why.expire.past" : "why.expire.missed";
  return f.width > 1 ? "why.expire.wide" : "why.expire.late";
}

/**
 * Returns the due tick as rounded by the rule of the lane: the tick at which the timer should have fired.
 * @param {LaneInfo} info @param {Fired} f @param {number} unit width of a slot of level 0 in base ticks
 */
function ruled({ algorithm, params }, { due, start, width }, unit) {
  if (algorithm === "netty") return start + (Math.floor((due - start) / unit) + 1) * unit;
  if (algorithm === "linux") return (Math.floor(due / width) + 1) * width;
  if (traitsOf(algorithm).bias === "early" || params?.rounding === "floor") return Math.floor(due / unit) * unit;
  return Math.ceil(due / unit) * unit;
}
