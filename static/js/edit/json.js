// @ts-check
/**
 * Pure functions that parse and format the JSON of scenarios. Integers above 2^53 keep their digits. Each
 * lane, operation and group is formatted on one line.
 */

/** Maximum length of a text edited in the page, in characters. */
export const TEXT_MAX = 1 << 20;

/** An integer that a float can't represent exactly, as written in the text. */
class Exact {
  /** @param {string} digits */
  constructor(digits) { this.digits = digits; }
  toString() { return this.digits; }
}

/** Converts the digits of an integer to a number or, if a float can't represent the integer exactly, to an Exact. @param {string} digits */
export function whole(digits) {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : new Exact(digits);
}

/** Marks an Exact in the output of JSON.stringify, which escapes this character in strings. */
const MARK = "\u0001";

/** Parses JSON. Throws a SyntaxError if the text is not JSON. @param {string} text */
export function parse(text) {
  return JSON.parse(text, /** @type {any} */ ((/** @type {string} */ _, /** @type {any} */ value, /** @type {{source?: string}|undefined} */ context) => {
    const exact = typeof value === "number" && context?.source !== undefined && String(value) !== context.source;
    return exact && /^-?\d+$/.test(context.source ?? "") ? new Exact(context.source ?? "") : value;
  }));
}

/** Formats a value on one line. @param {any} value */
function line(value) {
  const text = JSON.stringify(value, (_, v) => (v instanceof Exact ? MARK + v.digits + MARK : v), 1);
  return text.replace(/"\\u0001(-?\d+)\\u0001"/g, "$1").replace(/\n\s*/g, " ").replace(/([{[]) | ([}\]])/g, (whole, open, close) => open ?? close ?? whole);
}

/** Formats a list with one line per element. @param {any} list @param {string} margin */
function lines(list, margin) {
  if (!Array.isArray(list) || list.length === 0) return line(list);
  return `[\n${list.map((e) => `${margin}  ${line(e)}`).join(",\n")}\n${margin}]`;
}

/** Formats an object with one line per field. @param {Record<string, any>} object @param {string} margin @param {(key: string, value: any) => string} write */
function fields(object, margin, write) {
  const list = Object.entries(object).map(([key, value]) => `${margin}${JSON.stringify(key)}: ${write(key, value)}`);
  return list.length === 0 ? "" : `\n${list.join(",\n")}\n`;
}

/** Formats a scenario. @param {Record<string, any>} scenario */
export function format(scenario) {
  const body = fields(scenario, "  ", (key, value) => {
    if (key === "lanes") return lines(value, "  ");
    if (key !== "workload" || typeof value !== "object" || value === null || Array.isArray(value)) return line(value);
    return `{${fields(value, "    ", (_, list) => lines(list, "    "))}  }`;
  });
  return `{${body}}\n`;
}

/**
 * Returns the offsets of the start and the end of a line.
 * @param {string} text @param {number} line number of the line, from 1 @returns {[number, number]}
 */
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
