// @ts-check
/** Keyboard navigation in a group of buttons: arrows move between them, Home and End go to the ends; only one of them is in the tab order. */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Enables keyboard navigation in a group of buttons. These keys then don't move the
 * cursor in time.
 * @param {HTMLElement} group @param {string} which a selector @param {(button: HTMLElement) => void} [chosen] called when a button is reached by keys
 */
export function roveFocus(group, which, chosen) {
  group.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(which)]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = at < 0 ? null : target(event.key, at, buttons.length);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    stop(buttons, buttons[to]);
    buttons[to].focus();
    chosen?.(buttons[to]);
  });
}

/** Returns the index that a key moves the focus to, or null if it is no such key. @param {string} key @param {number} at @param {number} count */
function target(key, at, count) {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key in STEPS ? (at + STEPS[key] + count) % count : null;
}

/** Makes one button the group's only one in the tab order. @param {HTMLElement[]} buttons @param {HTMLElement} one */
export function stop(buttons, one) {
  for (const button of buttons) button.tabIndex = button === one ? 0 : -1;
}
