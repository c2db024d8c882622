// @ts-check
/** The offer of the article on the first visit: one line that can be dismissed. */
import { noteVisit } from "../core/visited.js";

/** Creates the feature. @returns {import("./feature.js").Feature} */
export function offer() {
  document.getElementById("offer-dismiss")?.addEventListener("click", noteVisit);
  return {};
}
