// @ts-check
/**
 * Whether the visitor knows the article: the lab offers it on the first visit. It is kept
 * in the browser; the page's head hides the offer before the first paint.
 */
import { writeStored } from "./storage.js";

/** Stores that the offer is not to be shown again, and hides it. */
export function noteVisit() {
  document.documentElement.dataset.learn = "seen";
  writeStored("wheelscope.learn", "seen");
}
