// @ts-check
/** A feature of the page: on the first visit, offers the article in a line that the user can dismiss. */
import { noteVisit } from "../core/visited.js";

/** Creates the feature. @returns {import("./feature.js").Feature} */
export function offer() {
  document.getElementById("offer-dismiss")?.addEventListener("click", noteVisit);
  return {};
}
