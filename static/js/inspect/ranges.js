// @ts-check
/**
 * Pure functions that compute, by the placement rule of an algorithm, the range of due ticks whose timers are
 * placed in a slot, and the next tick at which the slot is processed. The pages of the algorithms name the
 * sources of the rules. There is no range if the rule depends on more than the slot and the clock.
 */
import { mod } from "../picture/face.js";
import { traitsOf } from "../state/traits.js";

/**
 * @typedef {object} Range ticks are relative to the scenario's start
 * @property {number} from first due tick @property {number} to last due tick
 * @property {number} every interval, in ticks, at which the range repeats; 0 if it does not repeat
 * @property {number|null} at tick at which the slot is processed; null if there is no single one
 */

/** Reports whether the parameters change the placement rule. @param {Record<string, any>} params */
function altered(params) {
  const { variant, rounding, migration } = params;
  return (variant && variant !== "exact") || (rounding && rounding !== "ceil") || (migration && migration !== "full");
}

/**
 * Returns the range of a slot, or null if there is none.
 * @param {{algorithm: string, params?: Record<string, any>}} info
 * @param {number[][]} levels [level, slots, width], finest first
 * @param {number} level @param {number} slot @param {number} now the lane's clock
 * @param {number} start the scenario's start
 * @param {number[]} [dues] due ticks of the slot's timers. If the slot is under the hand, they determine whether it
 *   is processed in the current revolution or in the next one
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
  const ahead = mod(slot - hand, slots);
  const every = hashed ? slots * width : 0;
  const next = rangeAt(rule, (hand + (ahead || slots)) * width - origin, width, fine, every);
  return ahead === 0 && dues.some((due) => due < next.from) ? rangeAt(rule, hand * width - origin, width, fine, every) : next;
}

/**
 * Returns the range of due ticks of the slot that begins at a tick, by the rule of its algorithm.
 * @param {string} rule the trait `slot` of the algorithm @param {number} begin first tick of the slot
 * @param {number} width width of the slot @param {number} fine width of a slot of the finest level
 * @param {number} every interval at which the range repeats, or 0 @returns {Range}
 */
function rangeAt(rule, begin, width, fine, every) {
  switch (rule) {
    case "ceil": return { from: begin - fine + 1, to: begin + width - fine, every, at: begin };
    case "after": return { from: begin - width, to: begin - 1, every, at: begin };
    case "own": return { from: begin, to: begin + width - 1, every, at: begin + width };
    case "page": return { from: begin, to: begin + width - 1, every, at: null };
    default: return { from: begin, to: begin + width - 1, every, at: begin };
  }
}
