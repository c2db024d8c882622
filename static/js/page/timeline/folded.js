// @ts-check
/** Whether the timeline has one row for all lanes, and the player no further settings: unless the user chose otherwise. */

const KEY = "wheelscope.timeline";

/** Reports whether the timeline is folded into one row. @returns {boolean} */
export function remembered() {
  try {
    return localStorage.getItem(KEY) !== "rows";
  } catch {
    return true; // no storage: the choice applies to this page only
  }
}

/** Stores the user's choice. @param {boolean} folded */
export function rememberFold(folded) {
  try {
    localStorage.setItem(KEY, folded ? "folded" : "rows");
  } catch {
    // as above
  }
}
