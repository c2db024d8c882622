// @ts-check
/** Small helpers for the DOM. The setters do not write a value that has not changed. */

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element by id. Throws if the page does not have it. @param {string} id @returns {any} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Creates an SVG element. @param {string} name @param {Record<string, string|number>} [attributes] @param {...(string|Node)} children texts and elements */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** Creates an HTML element. @param {string} name @param {Record<string, string|number>} [attributes] @param {...(string|Node)} children texts and elements */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * Creates a button. Its class is "plain" unless `attributes` specifies another one.
 * @param {Record<string, string|number>} attributes @param {string|Node} content
 * @param {() => void} act called on a click
 */
export function button(attributes, content, act) {
  const made = /** @type {HTMLButtonElement} */ (html("button", { class: "plain", type: "button", ...attributes }, content));
  made.addEventListener("click", act);
  return made;
}

/**
 * Creates a button with a sign, and a name that is its tooltip and is read by screen readers.
 * @param {string|Node} sign @param {string} name @param {() => void} act called on a click
 * @param {{off?: boolean, attributes?: Record<string, string>}} [how] off: whether the button is disabled
 */
export function signButton(sign, name, act, { off = false, attributes = {} } = {}) {
  return button({ "aria-label": name, title: name, ...attributes, ...(off ? { disabled: "" } : {}) }, sign, act);
}

/** Adds attributes and children to an element, and returns it. @template {Element} E @param {E} element @param {Record<string, string|number>} attributes @param {(string|Node)[]} children */
function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Sets the text of an element if it differs. It changes the existing text node, since a browser recomputes
 * the styles of an element whose children are replaced.
 * @param {Element} element @param {string|number} text
 */
export function setText(element, text) {
  const string = String(text);
  if (element.textContent === string) return;
  const node = element.firstChild;
  if (string && node instanceof Text && node === element.lastChild) node.data = string;
  else element.textContent = string;
}

/** Sets an attribute if it differs. @param {Element} element @param {string} name @param {string|number} value */
export function setAttr(element, name, value) {
  const string = String(value);
  if (element.getAttribute(name) !== string) element.setAttribute(name, string);
}

/** Cancels the click on a button that is marked as disabled but keeps the focus. @param {Event} event */
function ignore(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Enables or disables a button. Disabling a button would take the focus from it. Until it loses keyboard
 * focus, the button is therefore only marked as disabled and ignores clicks.
 * @param {HTMLButtonElement} button @param {boolean} off
 */
export function setDisabled(button, off) {
  const focused = off && button.matches(":focus-visible");
  button.disabled = off && !focused;
  if (!focused) {
    button.removeAttribute("aria-disabled");
    button.removeEventListener("click", ignore, true);
  } else if (!button.hasAttribute("aria-disabled")) {
    button.setAttribute("aria-disabled", "true");
    button.addEventListener("click", ignore, true);
    button.addEventListener("blur", () => { if (button.hasAttribute("aria-disabled")) setDisabled(button, true); }, { once: true });
  }
}

/** Reports whether reduced motion is selected in the settings of the system or of the page. */
export function calm() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Saves a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  html("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // the browser has read it by then
}

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
    const to = at < 0 ? null : indexAfter(event.key, at, buttons.length);
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
function indexAfter(key, at, count) {
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
