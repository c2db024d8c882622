// @ts-check
/** What a workload's form asks for: the fields of each operation, of a group, of each distribution. */

import { whole } from "./json.js";

/** Fields of every operation but `at` and `op`. @type {Record<string, string[]>} */
export const OPS = {
  schedule: ["timer", "delay", "every", "times", "created"],
  set: ["timer", "delay", "every", "times", "created"],
  reset: ["timer", "delay", "every", "times", "created"],
  cancel: ["timer"],
  stall: ["for"],
  clock: ["by"],
};

/** All columns of the table of operations. `amount` is `for` of a stall and `by` of a clock. */
export const COLUMNS = ["timer", "delay", "every", "times", "created", "amount"];

/** Fields of a distribution of lengths of time. @type {Record<string, string[]>} */
export const LENGTHS = {
  constant: ["value"], uniform: ["min", "max"], exponential: ["mean", "max"], pareto: ["min", "alpha", "max"], choice: ["values", "weights"],
};

/** Fields of a distribution of arrivals. @type {Record<string, string[]>} */
export const ARRIVALS = { ...LENGTHS, constant: ["value", "every"], poisson: ["rate"] };

/** What a distribution is when it is chosen. @type {Record<string, any>} */
const FRESH = {
  constant: { value: 0 }, uniform: { min: 1, max: 20 }, exponential: { mean: 10, max: 100 }, pareto: { min: 1, alpha: 1.5, max: 100 },
  choice: { values: [1, 10] }, poisson: { rate: "1/tick" },
};

/** A distribution that was just chosen; what it shares with the one before stays. @param {string} dist @param {string[]} fields @param {Record<string, any>} before */
export function freshDist(dist, fields, before) {
  /** @type {Record<string, any>} */
  const made = { dist };
  for (const field of fields) {
    const value = before[field] ?? FRESH[dist]?.[field];
    if (value !== undefined) made[field] = value;
  }
  return made;
}

/** A group that was just added. @param {Set<string>} taken prefixes */
export function freshGroup(taken) {
  let prefix = "t";
  for (let n = 2; taken.has(prefix); n++) prefix = `t${n}-`;
  return { prefix, seed: 1, count: 10, arrivals: { dist: "poisson", rate: "1/tick" }, delay: { dist: "uniform", min: 1, max: 20 } };
}

/** What is typed, as a value of a scenario: undefined where nothing is. @param {string} name @param {string} text */
export function read(name, text) {
  const word = text.trim();
  if (word === "") return undefined;
  if (name === "timer" || name === "prefix" || name === "name" || name === "tick" || name === "rate") return word;
  if (name === "values" || name === "weights") return word.replace(/[[\]"]/g, "").split(/[,\s]+/).filter(Boolean).map(number);
  return number(word);
}

/** A number as a number, anything else (a duration) as it is. @param {string} word */
function number(word) {
  if (/^-?\d+$/.test(word)) return whole(word);
  return /^-?\d+\.\d+$/.test(word) ? Number(word) : word;
}

/** A value as it is typed. @param {any} value */
export function show(value) {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
