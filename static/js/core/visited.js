// @ts-check
/**
 * Whether the visitor knows the article: the lab offers it on the first visit. It is kept
 * in the browser; the page's head hides the offer before the first paint.
 */
import { writeStored } from "./storage.js";

/** Hides the offer of the article, and stores that it is not to be shown again. */
export function noteVisit() {
  document.documentElement.dataset.learn = "seen";
  writeStored("wheelscope.learn", "seen");
}
