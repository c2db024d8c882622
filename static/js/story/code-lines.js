// @ts-check
/**
 * Fetches the description of an algorithm (static/knowledge/ID.json), and finds the line of its pseudo-code
 * that an event executes. Events do not contain the line, since it follows from the algorithm and the event.
 *
 * The field `on` of a line lists selectors of the events at which it is executed. A selector consists of a
 * kind of events and conditions that must hold, or must not hold if preceded by "!", as in "expire !once
 * from-coarse". internal/knowledge/lines.go describes the conditions and must agree with this module.
 */
import { NO_LEVEL, cell } from "../core/protocol.js";
import { CODES, KIND } from "../state/kinds.js";

/**
 * @typedef {object} Line a line of pseudo-code
 * @property {string} proc procedure that contains the line: "place", "cancel", "advance", …
 * @property {string} text text of the line, indented by two spaces per level
 * @property {string} [zh] text in Chinese, if the text contains words
 * @property {string[]} on selectors of the events at which the line is executed; if empty, the line is never marked
 *
 * @typedef {{en: string, zh: string, cost?: string, costZh?: string}} Words
 *
 * @typedef {object} Knowledge
 * @property {string} id
 * @property {Words} idea @property {Words} structure
 * @property {Words} start cost of scheduling a timer, such as "O(log n)" in `cost`, with a note
 * @property {Words} stop cost of cancelling a timer, in `cost`, with a note
 * @property {Words} tick cost of advancing by one tick, in `cost`, with a note
 * @property {Words} fires when a timer fires, relative to its due tick
 * @property {Words} used where the algorithm is used
 * @property {Words} [slow] why the algorithm is inherently slower than others; missing if it is not
 * @property {Words} instead what programs should use instead
 * @property {string[]} sources
 * @property {Line[]} code lines of pseudo-code in order; the lines of a procedure are contiguous
 */

/**
 * Fetches the description of an algorithm. Rejects if it is not available.
 * @param {string} algorithm id of the algorithm @returns {Promise<Knowledge>}
 */
export async function load(algorithm) {
  const answer = await fetch(new URL(`../../knowledge/${encodeURIComponent(algorithm)}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`knowledge of ${algorithm}: ${answer.status}`);
  return answer.json();
}

/** Returns the text of a line in a language. @param {Line} line @param {string} lang */
export function textOf(line, lang) {
  return lang === "zh" ? line.zh ?? line.text : line.text;
}

/**
 * Returns the index of the line that was executed at an event, or −1 if there is no such line.
 * @param {Line[]} code @param {number[]} rows @param {number} at offset of the event's row
 */
export function lineOf(code, rows, at) {
  return code.findIndex((line) => line.on.some((selector) => matches(selector, rows, at)));
}

/** Reports whether a selector matches an event. @param {string} selector @param {number[]} rows @param {number} at */
function matches(selector, rows, at) {
  const [kind, ...conditions] = selector.split(" ");
  if (KIND[kind] !== cell(rows, at, "kind")) return false;
  return conditions.every((word) => (word.startsWith("!") ? !holds(word.slice(1), rows, at) : holds(word, rows, at)));
}

/** Reports whether a condition holds for an event. @param {string} word @param {number[]} rows @param {number} at @returns {boolean} */
function holds(word, rows, at) {
  switch (word) {
    case "again": return cell(rows, at, "run") > 1;
    case "once": return cell(rows, at, "fromLevel") === NO_LEVEL;
    case "from-side": return cell(rows, at, "fromLevel") === -1;
    case "from-coarse": return cell(rows, at, "fromLevel") > 0;
    case "to-side": return cell(rows, at, "toLevel") === -1;
    case "to-fine": return cell(rows, at, "toLevel") === 0;
    case "before": case "count": return cell(rows, at, "before") > 0;
    case "down": return cell(rows, at, "toSlot") > cell(rows, at, "fromSlot");
    default: return CODES[cell(rows, at, "code")] === word;
  }
}
