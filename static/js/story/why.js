// @ts-check
/**
 * Pure functions that explain the reason for an event in one or two sentences, from the values of the event and
 * the rule of the lane. sentence.js describes what happened, and formulas.js the formula.
 */
import { NO_LEVEL } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { traitsOf } from "../state/traits.js";
import { duration } from "../core/times.js";
import { dueOf, swappedWith } from "./formulas.js";
import { hasText, t } from "../core/texts.js";

/** @typedef {import("./event.js").StoryEvent} StoryEvent */
/** @typedef {(e: StoryEvent) => string} Explain returns the reason for an event as text */

/** @type {Record<number, Explain>} */
const WHY = {
  [KIND.schedule]: scheduled,
  [KIND.reject]: rejected,
  [KIND.miss]: () => t("why.miss"),
  [KIND.pend]: () => t("why.pend"),
  [KIND.place]: placed,
  [KIND.cascade]: cascaded,
  [KIND.move]: moved,
  [KIND.hand]: visited,
  [KIND.cancel]: ({ info }) => nearest("why.cancel", info, {}),
  [KIND.mark]: ({ info }) => nearest("why.mark", info, {}),
  [KIND.sweep]: ({ info }) => nearest("why.sweep", info, {}),
  [KIND.expire]: fired,
  [KIND.grow]: ({ fromLevel, x }) => t("why.grow", { level: fromLevel, width: x }),
  [KIND.enqueue]: ({ due }) => t("why.enqueue", { due }),
  [KIND.dequeue]: ({ due }) => t("why.dequeue", { due }),
  [KIND.finding]: found,
  [KIND.resize]: () => t("why.resize"),
  [KIND.rekey]: () => t("why.rekey"),
};

/** Returns the reason for an event, or "" if there is none. @param {StoryEvent} e */
export const why = (e) => WHY[e.kind]?.(e) ?? "";

/**
 * Returns the most specific text that exists: the one for the algorithm, the one for the shape, or the
 * general one. Returns "" if there is none.
 * @param {string} key key of the general text
 * @param {{algorithm: string, shape: string, params?: Record<string, any>}} info
 * @param {Record<string, any>} values values to insert in the text
 */
function nearest(key, info, values) {
  const own = QUEUED.has(key) && ticked(info) ? key : `${key}.${info.algorithm}`;
  const found = [own, `${key}.${info.shape}`, key].find(hasText);
  return found ? t(found, values) : "";
}

/** Keys of texts that mention Kafka's delay queue. */
const QUEUED = new Set(["why.place.ring", "why.place.finest", "why.place.level", "why.cascade"]);

/** Reports whether a parameter makes every tick advance the wheel, instead of a delay queue. @param {{params?: Record<string, any>}} info */
function ticked({ params }) {
  return params?.drive === "tick";
}

/** @type {Explain} */
function scheduled({ left, tick, due, repeats, context }) {
  return t(repeats ? "why.repeat" : left > 0 ? "why.schedule" : "why.schedule.past", { left: duration(left, context.length), tick, due, delay: left });
}

/** @type {Explain} */
function rejected({ code, left, levels }) {
  const top = levels.filter(([level]) => level >= 0).at(-1);
  const reach = top ? top[1] * top[2] : 0;
  return code === "range" && left >= reach && reach > 0 ? t("why.reject.range", { left, reach }) : t(`why.reject.plain.${code}`);
}

/** @type {Explain} */
function placed({ info, toLevel: level, toSlot, code, levels, left, due, x: rounds, before: next, context }) {
  if (info.shape === "slices") return t(level < 0 ? `why.place.redis.${toSlot}` : `why.place.redis.${info.params.as}`);
  if (level < 0) return t("why.side");
  const before = context.name(next);
  if (info.shape === "list") return info.algorithm === "list" ? t("why.place.list") : t(next ? "why.place.before" : "why.place.tail", { before });
  if (code === "stale") return t("why.place.stale");
  if (info.shape === "heap") return t("why.place.heap");
  const values = { left, due, rounds, level, ...reachOf(levels, level), before };
  return nearest(placing(info, values, levels, next), info, values);
}

/**
 * Returns the key of the text that explains a timer's place in a ring.
 * @param {import("../state/store.js").LaneInfo} info
 * @param {{left: number, rounds: number, level: number, width: number}} values `left` is the number of ticks until
 *   the timer is due
 * @param {number[][]} levels @param {number} before id of the next timer in the slot, or 0 if there is none
 */
function placing({ algorithm, params }, { left, rounds, level, width }, levels, before) {
  if (traitsOf(algorithm).sorted) return before ? "why.place.bucket" : "why.place.bucket.tail";
  if (rounds > 0) return "why.place.turns";
  if (params?.variant === "procinc") return "why.place.counted";
  const alone = levels.filter(([n]) => n >= 0).length === 1;
  if (alone && params?.drive !== "tick" && hasText(`why.place.ring.${algorithm}`)) return "why.place.ring";
  if (left <= 0) return traitsOf(algorithm).past ? "why.behind.next" : "why.behind";
  if (alone) return width > 1 ? "why.place.wide" : "why.place.ring";
  if (level > 0 && params?.placement === "digits") return "why.place.digits";
  return level === 0 ? "why.place.finest" : "why.place.level";
}

/**
 * Returns the range of a level, that of the level below, and the width of the level's slots, in base ticks.
 * @param {number[][]} levels @param {number} level
 */
function reachOf(levels, level) {
  const span = (/** @type {number} */ n) => levels.filter(([l]) => l === n).reduce((_, [, slots, width]) => slots * width, 0);
  return { reach: span(level), below: span(level - 1), width: levels.find(([l]) => l === level)?.[2] ?? 1 };
}

/** @type {Explain} */
function cascaded({ info, fromLevel: level, fromSlot: slot, toLevel: to, left, due, name }) {
  const values = { level, slot, to, left, due, name };
  if (info.shape === "slices") return t(`why.cascade.redis.${info.params.as}`, values);
  if (left <= 0) return t("why.behind", values);
  if (level < 0) return t("why.cascade.side", values);
  return nearest("why.cascade", info, values);
}

/** @type {Explain} */
function moved(e) {
  const { name, fromSlot: from, toSlot: to } = e;
  const other = swappedWith(e);
  if (from > to && other === 0) return t("why.move.last", { name });
  const mine = dueOf(e, e.id);
  const its = other ? dueOf(e, other) : null;
  if (!other || mine === null || its === null) return t("why.move");
  return t(from > to ? "why.move.up" : "why.move.down", { name, other: e.context.name(other), mine, its });
}

/** @type {Explain} */
function visited({ info, before: count, fromLevel: level }) {
  return count > 0 ? t("why.turn", { count }) : nearest("why.hand", info, { level });
}

/** @type {Explain} */
function fired({ info, tick, due, fromLevel: level, levels, lane, context }) {
  if (level === NO_LEVEL) return nearest(tick < due ? "why.expire.once.early" : "why.expire.once", info, { due, tick });
  const [, slots = 1, width = 1] = levels.find(([l]) => l === level) ?? [];
  const values = { due, tick, level, width, off: Math.abs(tick - due), now: context.lanes[lane].now };
  if (tick === due) return nearest("why.expire", info, values);
  if (tick < due) return nearest("why.expire.early", info, values);
  return nearest(lateness(info, { tick: context.start + tick, due: context.start + due, start: context.start, width, slots }), info, values);
}

/** Explains a finding: what should have happened. @type {Explain} */
function found({ code, name, due: expect, x: got, tick, info }) {
  const numbered = `why.finding.${code}.${info.algorithm}.${expect}`; // a rule that fails in two ways
  return t([numbered, `why.finding.${code}`, "why.finding"].find(hasText) ?? "", { name, expect, got, tick });
}

/**
 * @typedef {import("../state/store.js").LaneInfo} LaneInfo
 *
 * @typedef {object} Fired a timer that fired late; ticks are absolute base ticks
 * @property {number} tick tick at which it fired @property {number} due due tick
 * @property {number} start start of the scenario
 * @property {number} width width of the slots of its level @property {number} slots number of slots of the level
 */

/** Returns the key of the text that states the reason. @param {LaneInfo} info @param {Fired} f */
function lateness(info, f) {
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
