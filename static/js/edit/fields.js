// @ts-check
/** The fields of the workload form: those of the operations, of the groups, and of the distributions. */

import { whole } from "./json.js";

/** Fields of each operation, except for `at` and `op`. @type {Record<string, string[]>} */
export const OPS = {
  schedule: ["timer", "delay", "every", "times", "created"],
  set: ["timer", "delay", "every", "times", "created"],
  reset: ["timer", "delay", "every", "times", "created"],
  cancel: ["timer"],
  stall: ["for"],
  clock: ["by"],
};

/**
 * Columns of the table of operations, after `at` and `op`. `amount` is the field `for` of a `stall` operation
 * and the field `by` of a `clock` operation.
 */
export const COLUMNS = ["timer", "delay", "every", "times", "created", "amount"];

/** Fields of each distribution of durations. @type {Record<string, string[]>} */
export const LENGTHS = {
  constant: ["value"], uniform: ["min", "max"], exponential: ["mean", "max"], pareto: ["min", "alpha", "max"], choice: ["values", "weights"],
};

/** Fields of each distribution of arrivals. @type {Record<string, string[]>} */
export const ARRIVALS = { ...LENGTHS, constant: ["value", "every"], poisson: ["rate"] };

/** Initial values of a newly chosen distribution. @type {Record<string, any>} */
const FRESH = {
  constant: { value: 0 }, uniform: { min: 1, max: 20 }, exponential: { mean: 10, max: 100 }, pareto: { min: 1, alpha: 1.5, max: 100 },
  choice: { values: [1, 10] }, poisson: { rate: "1/tick" },
};

/**
 * Returns a newly chosen distribution. Fields that it shares with the previous one (`before`) keep their
 * values.
 * @param {string} dist @param {string[]} fields @param {Record<string, any>} before
 */
export function freshDist(dist, fields, before) {
  /** @type {Record<string, any>} */
  const made = { dist };
  for (const field of fields) {
    const value = before[field] ?? FRESH[dist]?.[field];
    if (value !== undefined) made[field] = value;
  }
  return made;
}

/** Returns a new group. @param {Set<string>} taken prefixes of the existing groups */
export function freshGroup(taken) {
  let prefix = "t";
  for (let n = 2; taken.has(prefix); n++) prefix = `t${n}-`;
  return { prefix, seed: 1, count: 10, arrivals: { dist: "poisson", rate: "1/tick" }, delay: { dist: "uniform", min: 1, max: 20 } };
}

/**
 * Converts typed text to a value of a scenario. Returns undefined if the text is empty.
 * @param {string} name name of the field @param {string} text
 */
export function read(name, text) {
  const word = text.trim();
  if (word === "") return undefined;
  if (name === "timer" || name === "prefix" || name === "name" || name === "tick" || name === "rate") return word;
  if (name === "values" || name === "weights") return word.replace(/[[\]"]/g, "").split(/[,\s]+/).filter(Boolean).map(number);
  return number(word);
}

/** Converts text to a number if it is one, and returns other text, such as a duration, unchanged. @param {string} word */
function number(word) {
  if (/^-?\d+$/.test(word)) return whole(word);
  return /^-?\d+\.\d+$/.test(word) ? Number(word) : word;
}

/** Formats a value as text that the user can edit. @param {any} value */
export function show(value) {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
