// @ts-check
/** Whether the timeline has one row for all lanes: by the user's choice, else by the window's size. */

const KEY = "wheelscope.timeline";

/** Windows in which one row per lane would cover the lanes themselves. */
const SMALL = "(max-width: 640px), (max-height: 720px), (max-width: 1300px) and (max-height: 860px)";

/** Reports whether the timeline is folded into one row. @returns {boolean} */
export function remembered() {
  const chosen = read();
  return chosen ? chosen === "folded" : matchMedia(SMALL).matches;
}

/** Stores the user's choice. @param {boolean} folded */
export function rememberFold(folded) {
  try {
    localStorage.setItem(KEY, folded ? "folded" : "rows");
  } catch {
    // no storage: the choice applies to this page only
  }
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
