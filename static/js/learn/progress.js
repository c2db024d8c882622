// @ts-check
/**
 * The progress of a student, stored in the browser. If the storage is unavailable, the progress is kept in
 * memory while the page is open.
 */
import { readStoredJSON, writeStored } from "../core/storage.js";

/** @typedef {{at: number, right: Record<string, boolean>}} Progress progress in one tour: the index of the step displayed last and, by index of the step, whether its question was answered correctly */

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
