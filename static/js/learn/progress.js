// @ts-check
/** A student's progress, stored in the browser. If storage is unavailable, it is kept in memory while the page is open. */
import { readStoredJSON, writeStored } from "../core/storage.js";

/** @typedef {{at: number, right: Record<string, boolean>}} Progress of one lesson: the step shown last, and the questions answered */

const PREFIX = "wheelscope.guide.";

/** @type {Map<string, any>} */
const memory = new Map();

/** Returns the value stored under a name. @template T @param {string} name @param {T} otherwise @returns {T} */
export function readProgress(name, otherwise) {
  const stored = readStoredJSON(PREFIX + name);
  return stored && typeof stored === "object" ? { ...otherwise, ...stored } : memory.get(name) ?? otherwise;
}

/** Stores a value under a name in the browser and in memory. @param {string} name @param {any} value */
export function storeProgress(name, value) {
  memory.set(name, value);
  writeStored(PREFIX + name, JSON.stringify(value));
}
