// @ts-check
/** A student's progress, stored in the browser. If storage is unavailable, it is kept in memory while the page is open. */

/** @typedef {{at: number, right: Record<string, boolean>}} Progress of one lesson: the step shown last, and the questions answered */

const PREFIX = "wheelscope.guide.";

/** @type {Map<string, any>} */
const memory = new Map();

/** Returns the value stored under a name. @template T @param {string} name @param {T} otherwise @returns {T} */
export function recallGuide(name, otherwise) {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
    if (kept && typeof kept === "object") return { ...otherwise, ...kept };
  } catch {
    // broken or forbidden: use the value in memory
  }
  return memory.get(name) ?? otherwise;
}

/** Stores a value under a name. @param {string} name @param {any} value */
export function keepGuide(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // no space: the value stays in memory
  }
}
