// @ts-check
/** Stores the answers of a student in the browser, and exports them as CSV. */
import { download } from "../core/dom.js";
import { storeProgress, readProgress } from "./progress.js";

/**
 * One answered question.
 * @typedef {{time: string, source: string, seed: string, scenario: string, run: string, t: number, kind: string, lane: string, timer: string, question: string, chosen: string, answer: string, right: boolean}} Answered
 */

/** Maximum number of stored answers. The oldest is removed first. */
const ANSWERS_MAX = 500;

const COLUMNS = /** @type {(keyof Answered)[]} */ (["time", "source", "seed", "scenario", "run", "t", "kind", "lane", "timer", "question", "chosen", "answer", "right"]);

/** Returns the stored answers, the oldest first. @returns {Answered[]} */
function answers() {
  const { list } = readProgress("answers", { list: /** @type {Answered[]} */ ([]) });
  return Array.isArray(list) ? list : [];
}

/** Stores an answer, and announces it to the page around an embedded one. @param {Answered} answered */
export function storeAnswer(answered) {
  document.dispatchEvent(new CustomEvent("wheelscope-answer", { detail: answered }));
  storeProgress("answers", { list: [...answers(), answered].slice(-ANSWERS_MAX) });
}

/**
 * Formats a field of CSV. A text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
 * @param {string|number|boolean} value
 */
function field(value) {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats answers as CSV with a heading. @param {Answered[]} list */
function csv(list) {
  return [COLUMNS.join(","), ...list.map((one) => COLUMNS.map((name) => field(one[name])).join(","))].join("\n") + "\n";
}

/** Makes the button with the attribute data-score in a pane save the answers. @param {HTMLElement} box */
export function offerExport(box) {
  box.querySelector("[data-score]")?.addEventListener("click", () => download(new Blob([csv(answers())], { type: "text/csv" }), "wheelscope-answers.csv"));
}
