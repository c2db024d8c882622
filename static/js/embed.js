// @ts-check
/**
 * The lab inside another page of ours (`?embed=1`): it tells that page which events
 * its last movement was made of, so that it can mark the lines of code that ran.
 */
import { ROW } from "./protocol.js";

/** Events told of one movement at most: the last ones. */
const EVENTS_MAX = 400;

/** @param {any} app @returns {import("./features.js").Feature} */
export function embed({ store }) {
  if (parent === window || !document.body.classList.contains("embed")) return {};
  return {
    moved() {
      parent.postMessage({ wheelscope: "moved", rows: store.told.slice(-EVENTS_MAX * ROW) }, location.origin);
    },
  };
}
