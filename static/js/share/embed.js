// @ts-check
/**
 * A feature of a lab that is embedded in another page of this site (`?embed=1`). It sends the events of the
 * last movement to that page, which marks the executed lines of code.
 */
import { ROW } from "../core/protocol.js";

/** Maximum number of events sent per movement. If there are more, the last ones are sent. */
const EVENTS_MAX = 400;

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export function embed({ store }) {
  if (parent === window || !document.body.classList.contains("embed")) return {};
  return {
    moved() {
      parent.postMessage({ wheelscope: "moved", rows: store.lastRows.slice(-EVENTS_MAX * ROW) }, location.origin);
    },
  };
}
