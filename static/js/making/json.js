// @ts-check
/**
 * Scenario texts: read without loss (a number past 2^53 keeps its digits), and written
 * so that a lane, an operation, a group is a line of its own. Pure.
 */

/** Characters of a text that is edited in the page. */
export const TEXT_MAX = 1 << 20;

/** A number as it stands in the text, where a float would change it. */
class Exact {
  /** @param {string} digits */
  constructor(digits) { this.digits = digits; }
  toString() { return this.digits; }
}

/** A whole number as it is typed: as a number, or with all its digits where a float would change it. @param {string} digits */
export function whole(digits) {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : new Exact(digits);
}

/** What stands for an exact number while JSON.stringify writes; it has no such character itself. */
const MARK = "\u0001";

/** Reads a text. Throws a SyntaxError. @param {string} text */
export function parse(text) {
  return JSON.parse(text, /** @type {any} */ ((/** @type {string} */ _, /** @type {any} */ value, /** @type {{source?: string}|undefined} */ context) => {
    const exact = typeof value === "number" && context?.source !== undefined && String(value) !== context.source;
    return exact && /^-?\d+$/.test(context.source ?? "") ? new Exact(context.source ?? "") : value;
  }));
}

/** A value on one line. @param {any} value */
function line(value) {
  const text = JSON.stringify(value, (_, v) => (v instanceof Exact ? MARK + v.digits + MARK : v), 1);
  return text.replace(/"\\u0001(-?\d+)\\u0001"/g, "$1").replace(/\n\s*/g, " ").replace(/([{[]) | ([}\]])/g, (whole, open, close) => open ?? close ?? whole);
}

/** A list with a line an element. @param {any} list @param {string} margin */
function lines(list, margin) {
  if (!Array.isArray(list) || list.length === 0) return line(list);
  return `[\n${list.map((e) => `${margin}  ${line(e)}`).join(",\n")}\n${margin}]`;
}

/** An object's fields, a line each. @param {Record<string, any>} object @param {string} margin @param {(key: string, value: any) => string} write */
function fields(object, margin, write) {
  const list = Object.entries(object).map(([key, value]) => `${margin}${JSON.stringify(key)}: ${write(key, value)}`);
  return list.length === 0 ? "" : `\n${list.join(",\n")}\n`;
}

/** A scenario as a text. @param {Record<string, any>} scenario */
export function format(scenario) {
  const body = fields(scenario, "  ", (key, value) => {
    if (key === "lanes") return lines(value, "  ");
    if (key !== "workload" || typeof value !== "object" || value === null || Array.isArray(value)) return line(value);
    return `{${fields(value, "    ", (_, list) => lines(list, "    "))}  }`;
  });
  return `{${body}}\n`;
}

/** The line and column of an offset, from 1. @param {string} text @param {number} offset */
export function lineOf(text, offset) {
  return 1 + (text.slice(0, offset).match(/\n/g)?.length ?? 0);
}

/** Where a line begins and ends. @param {string} text @param {number} line from 1 @returns {[number, number]} */
export function lineSpan(text, line) {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return [start, end < 0 ? text.length : end];
}
