// @ts-check
/** Strings in the browser's storage. If the storage is disabled or full, they are not stored. */

/** @typedef {"localStorage"|"sessionStorage"} Area a storage of the browser: localStorage is shared by all tabs, sessionStorage belongs to one tab */

/** Returns a stored string, or null if there is none. @param {string} key @param {Area} [area] @returns {string|null} */
export function readStored(key, area = "localStorage") {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns a value stored as JSON, or null if there is none. @param {string} key @param {Area} [area] @returns {any} */
export function readStoredJSON(key, area) {
  try {
    return JSON.parse(readStored(key, area) ?? "null");
  } catch {
    return null;
  }
}

/** Reports whether the browser stores strings for this page. */
export function canStore() {
  return writeStored("wheelscope.probe", "1") && writeStored("wheelscope.probe", "");
}

/** Stores a string; "" removes it. Returns false if that is not possible. @param {string} key @param {string} value @param {Area} [area] */
export function writeStored(key, value, area = "localStorage") {
  try {
    if (value) globalThis[area].setItem(key, value);
    else globalThis[area].removeItem(key);
    return true;
  } catch {
    return false;
  }
}
