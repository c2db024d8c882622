// @ts-check
/**
 * Records in the browser that the visitor has opened or dismissed the introductory article. The lab offers the
 * article until then. A script in the head of the page hides the offer before the first paint.
 */
import { writeStored } from "./storage.js";

/** Hides the offer of the article, and records that it must not be shown again. */
export function noteVisit() {
  document.documentElement.dataset.learn = "seen";
  writeStored("wheelscope.learn", "seen");
}
