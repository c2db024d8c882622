// @ts-check
/** Whether the timeline shows one row for all lanes: the user's choice, else by the window's size. */

const KEY = "wheelscope.timeline";

/** Windows in which a row a lane would cover the lanes themselves. */
const SMALL = "(max-width: 640px), (max-height: 720px), (max-width: 1300px) and (max-height: 860px)";

/** @returns {boolean} */
export function remembered() {
  const chosen = read();
  return chosen ? chosen === "folded" : matchMedia(SMALL).matches;
}

/** @param {boolean} folded */
export function rememberFold(folded) {
  try {
    localStorage.setItem(KEY, folded ? "folded" : "rows");
  } catch {
    // a browser that keeps nothing shows its own choice the next time
  }
}

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
