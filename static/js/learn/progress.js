// @ts-check
/**
 * What a student has done, stored in the browser: the progress in lectures, the score, and the replies, which can be saved as
 * CSV. If the storage is unavailable, it is kept in memory while the page is open.
 */
import { download } from "../core/dom.js";
import { readStoredJSON, writeStored } from "../core/storage.js";

const PREFIX = "wheelscope.guide.";

/** @type {Map<string, any>} */
const memory = new Map();

/**
 * Returns the value stored under a name, or `otherwise` if there is none.
 * @template T @param {string} name @param {T} otherwise @returns {T}
 */
export function readProgress(name, otherwise) {
  const stored = readStoredJSON(PREFIX + name);
  return stored && typeof stored === "object" ? { ...otherwise, ...stored } : memory.get(name) ?? otherwise;
}

/** Stores a value under a name in the browser and in memory. @param {string} name @param {any} value */
export function storeProgress(name, value) {
  memory.set(name, value);
  writeStored(PREFIX + name, JSON.stringify(value));
}

/** Maximum number of stored replies. The oldest is removed first. */
const REPLIES_MAX = 500;

const COLUMNS = ["time", "source", "seed", "scenario", "run", "t", "kind", "lane", "timer", "question", "chosen", "answer", "right"];

/** Returns the stored replies, the oldest first. @returns {Record<string, any>[]} */
function replies() {
  const { list } = readProgress("answers", { list: [] });
  return Array.isArray(list) ? list : [];
}

/**
 * Stores the reply to a question, and announces it to the page around an embedded one.
 * @param {import("./question.js").Question} question @param {import("./question.js").Reply} reply
 * @param {{source: string, seed: string, scenario: string, run: string}} where
 */
export function storeReply({ from, kind, targets, timer }, { words, chosen, answer, right }, where) {
  const detail = { time: new Date().toISOString(), ...where, t: from.tick, kind, lane: targets.map(({ lane }) => lane).join(" "), timer, question: words, chosen, answer, right };
  document.dispatchEvent(new CustomEvent("wheelscope-answer", { detail }));
  storeProgress("answers", { list: [...replies(), detail].slice(-REPLIES_MAX) });
}

/**
 * Formats a field of CSV. A text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
 * @param {any} value
 */
function field(value) {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Saves the replies as CSV with a heading. */
export function saveReplies() {
  const lines = [COLUMNS, ...replies().map((reply) => COLUMNS.map((name) => field(reply[name])))];
  download(new Blob([lines.map((line) => `${line.join(",")}\n`).join("")], { type: "text/csv" }), "wheelscope-answers.csv");
}
