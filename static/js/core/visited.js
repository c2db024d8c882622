// @ts-check
/**
 * Whether the visitor knows the article: the lab offers it on the first visit. It is kept
 * in the browser; the page's head hides the offer before the first paint.
 */

/** Stores that the offer is not to be shown again, and hides it. */
export function noteVisit() {
  document.documentElement.dataset.learn = "seen";
  try {
    localStorage.setItem("wheelscope.learn", "seen");
  } catch { /* no storage: the offer is hidden while the page is open */ }
}
