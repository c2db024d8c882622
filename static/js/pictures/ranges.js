// @ts-check
/**
 * Which due ticks a slot takes, and when it is next worked, by the placement rule of
 * each algorithm (the sources are on the algorithms' pages). Pure. Where a rule does
 * not follow from slot and clock alone, it is not told.
 */

/** @typedef {{from: number, to: number, every: number, at: number|null}} Range due ticks from … to, again every so many (0: no), worked at tick `at` (null: at no single one): all relative to the scenario's start */

/** How a level's index follows from a due tick. @type {Record<string, "ceil"|"floor"|"after"|"own"|"page">} */
const RULES = {
  simple: "ceil", rounds: "ceil", "hashed-sorted": "ceil", hierarchical: "ceil",
  kafka: "floor", tokio: "floor", "linux-classic": "floor", linux: "after", netty: "own", calendar: "page",
};

/** Lanes whose slots hold timers of later revolutions too. */
const HASHED = new Set(["rounds", "hashed-sorted", "netty", "calendar"]);

/** Parameters with which the rule is another. @param {Record<string, any>} params */
function altered(params) {
  const { variant, rounding, migration } = params;
  return (variant && variant !== "exact") || (rounding && rounding !== "ceil") || (migration && migration !== "full");
}

/**
 * @param {{algorithm: string, params?: Record<string, any>}} info @param {number[][]} levels [level, slots, width], finest first
 * @param {number} level @param {number} slot @param {number} now the lane's clock @param {number} start of the scenario
 * @param {number[]} [dues] of timers that stand there: a slot under the hand may be worked yet, or be worked next a revolution later
 * @returns {Range|null}
 */
export function rangeOf(info, levels, level, slot, now, start, dues = []) {
  const rule = RULES[info.algorithm];
  const own = levels[level];
  if (!rule || !own || own[1] <= 0 || altered(info.params ?? {})) return null;
  const [, slots, width] = own;
  const fine = levels[0][2];
  const origin = rule === "own" ? 0 : start; // netty counts from its own beginning
  const hand = Math.floor((origin + now) / width);
  const ahead = ((slot - hand) % slots + slots) % slots;
  const every = HASHED.has(info.algorithm) ? slots * width : 0;
  const next = rangeAt(rule, (hand + (ahead || slots)) * width - origin, width, fine, every);
  return ahead === 0 && dues.some((due) => due < next.from) ? rangeAt(rule, hand * width - origin, width, fine, every) : next;
}

/** @param {string} rule @param {number} begin of the slot @param {number} width @param {number} fine width of the finest level @param {number} every @returns {Range} */
function rangeAt(rule, begin, width, fine, every) {
  switch (rule) {
    case "ceil": return { from: begin - fine + 1, to: begin + width - fine, every, at: begin };
    case "after": return { from: begin - width, to: begin - 1, every, at: begin };
    case "own": return { from: begin, to: begin + width - 1, every, at: begin + width };
    case "page": return { from: begin, to: begin + width - 1, every, at: null };
    default: return { from: begin, to: begin + width - 1, every, at: begin };
  }
}
