// @ts-check
/**
 * The description of an algorithm (static/knowledge/ID.json), and the executed line of its
 * pseudo-code. It is determined by the algorithm and the event, so events do not contain it.
 *
 * A line lists in `on` the events at which it runs. Each consists of a kind and
 * conditions that must hold, or must not if preceded by "!": "expire !once from-coarse".
 * internal/knowledge is the same in Go, and describes the conditions.
 */
import { NO_LEVEL, cell } from "../core/protocol.js";
import { CODES, KIND } from "../state/kinds.js";

/**
 * @typedef {object} Line of pseudo-code
 * @property {string} proc the procedure it belongs to: place, cancel, advance …
 * @property {string} text indented by two spaces per level
 * @property {string} [zh] the same in Chinese, if it contains words
 * @property {string[]} on events at which it runs; if empty, it is never shown as run
 *
 * @typedef {{en: string, zh: string, cost?: string, costZh?: string}} Words
 *
 * @typedef {object} Knowledge
 * @property {string} id
 * @property {Words} idea @property {Words} structure
 * @property {Words} start @property {Words} stop @property {Words} tick with `cost`, as "O(log n)"
 * @property {Words} fires @property {Words} used
 * @property {Words} [slow] why it is inherently slower, if it is
 * @property {Words} instead what a program should use instead
 * @property {string[]} sources
 * @property {Line[]} code in order, the lines of a procedure together
 */

/** @type {Map<string, Promise<Knowledge>>} */
const asked = new Map();

/**
 * Returns the description of an algorithm, which is fetched once. Rejects if it is not available.
 * @param {string} algorithm its id @returns {Promise<Knowledge>}
 */
export function load(algorithm) {
  let answer = asked.get(algorithm);
  if (!answer) {
    answer = fetch(new URL(`../../knowledge/${encodeURIComponent(algorithm)}.json`, import.meta.url)).then((r) => {
      if (!r.ok) throw new Error(`knowledge of ${algorithm}: ${r.status}`);
      return r.json();
    });
    answer.catch(() => asked.delete(algorithm)); // so that a later call tries again
    asked.set(algorithm, answer);
  }
  return answer;
}

/** Returns a line's text in a language. @param {Line} line @param {string} lang */
export function textOf(line, lang) {
  return lang === "zh" ? line.zh ?? line.text : line.text;
}

/**
 * Returns the index of the line that ran at an event, or −1 if the algorithm has no such line.
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
