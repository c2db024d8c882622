// @ts-check
/**
 * Keyboard navigation in a group of buttons of which only one is in the tab order. The arrow keys move the
 * focus between the buttons, and Home and End move it to the first and the last one.
 */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Enables keyboard navigation in a group of buttons. Within the group, the arrow keys do not move the cursor
 * of the run.
 * @param {HTMLElement} group @param {string} which selector of the buttons
 * @param {(button: HTMLElement) => void} [chosen] called when a key has moved the focus to a button
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

/**
 * Returns the index of the button to which a key moves the focus, or null if the key does not move it.
 * @param {string} key @param {number} at @param {number} count
 */
function target(key, at, count) {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key in STEPS ? (at + STEPS[key] + count) % count : null;
}

/**
 * Makes one button the only button of the group in the tab order.
 * @param {HTMLElement[]} buttons @param {HTMLElement} one
 */
export function stop(buttons, one) {
  for (const button of buttons) button.tabIndex = button === one ? 0 : -1;
}
