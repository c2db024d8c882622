// @ts-check
/** Shows some of the lanes, which then have the whole width. Hidden lanes are not drawn, so lanes that are shown again are stale. */

/** The sections of the lanes. @returns {HTMLElement[]} */
const sections = () => [...document.querySelectorAll("section[data-lane]")].map((section) => /** @type {HTMLElement} */ (section));

/**
 * Shows the lanes with the given ids, and hides the others. Without any that exists, all are shown.
 * @param {string[]} ids
 */
export function showLanes(ids) {
  const shown = (/** @type {HTMLElement} */ { dataset }) => ids.includes(dataset.lane ?? "");
  const some = sections().some(shown);
  for (const section of sections()) section.hidden = some && !shown(section);
}

/** Dims all lanes but one. @param {string} id id of the lane, or "" to dim none */
export function focusLane(id) {
  const known = sections().some(({ dataset }) => dataset.lane === id);
  for (const section of sections()) section.classList.toggle("aside", known && section.dataset.lane !== id);
}
