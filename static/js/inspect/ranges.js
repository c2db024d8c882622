// @ts-check
/**
 * The due ticks that a slot takes, and the next tick at which it is processed, by each
 * algorithm's placement rule (for sources see the algorithms' pages). Pure. If a rule
 * does not follow from slot and clock alone, there is no range.
 */
import { traitsOf } from "../state/traits.js";

/** @typedef {{from: number, to: number, every: number, at: number|null}} Range due ticks from … to, repeated every `every` ticks (0: not repeated), processed at tick `at` (null: no single one); all relative to the scenario's start */

/** Reports whether the parameters change the rule. @param {Record<string, any>} params */
function altered(params) {
  const { variant, rounding, migration } = params;
  return (variant && variant !== "exact") || (rounding && rounding !== "ceil") || (migration && migration !== "full");
}

/**
 * Returns a slot's range, or null. @param {{algorithm: string, params?: Record<string, any>}} info @param {number[][]} levels [level, slots, width], finest first
 * @param {number} level @param {number} slot @param {number} now the lane's clock @param {number} start of the scenario
 * @param {number[]} [dues] of the slot's timers: they decide whether a slot under the hand is still to be processed, or only in the next revolution
 * @returns {Range|null}
 */
export function rangeOf(info, levels, level, slot, now, start, dues = []) {
  const { slot: rule, hashed } = traitsOf(info.algorithm);
  const own = levels[level];
  if (!rule || !own || own[1] <= 0 || altered(info.params ?? {})) return null;
  const [, slots, width] = own;
  const fine = levels[0][2];
  const origin = rule === "own" ? 0 : start; // netty counts from the start of its own clock
  const hand = Math.floor((origin + now) / width);
  const ahead = ((slot - hand) % slots + slots) % slots;
  const every = hashed ? slots * width : 0;
  const next = rangeAt(rule, (hand + (ahead || slots)) * width - origin, width, fine, every);
  return ahead === 0 && dues.some((due) => due < next.from) ? rangeAt(rule, hand * width - origin, width, fine, every) : next;
}

/** Returns the range of a slot by the trait `slot` of its algorithm. @param {string} rule @param {number} begin of the slot @param {number} width @param {number} fine width of the finest level @param {number} every @returns {Range} */
function rangeAt(rule, begin, width, fine, every) {
  switch (rule) {
    case "ceil": return { from: begin - fine + 1, to: begin + width - fine, every, at: begin };
    case "after": return { from: begin - width, to: begin - 1, every, at: begin };
    case "own": return { from: begin, to: begin + width - 1, every, at: begin + width };
    case "page": return { from: begin, to: begin + width - 1, every, at: null };
    default: return { from: begin, to: begin + width - 1, every, at: begin };
  }
}
