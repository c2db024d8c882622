// @ts-check
/** Small helpers for the DOM. Unchanged values are not written again. */

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element that is always in the page. @param {string} id @returns {any} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Creates an SVG element. @param {string} name @param {Record<string, string|number>} [attributes] @param {string} [text] */
export function svg(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Creates an HTML element. @param {string} name @param {Record<string, string|number>} [attributes] @param {string} [text] */
export function html(name, attributes = {}, text) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Sets an element's text if it differs. @param {Element} element @param {string|number} text */
export function setText(element, text) {
  const string = String(text);
  if (element.textContent !== string) element.textContent = string;
}

/** Sets an attribute if it differs. @param {Element} element @param {string} name @param {string|number} value */
export function setAttr(element, name, value) {
  const string = String(value);
  if (element.getAttribute(name) !== string) element.setAttribute(name, string);
}

/** Stops the click of a button that is disabled but still has the focus. @param {Event} event */
function ignore(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Enables or disables a button. Browsers take the focus from a button that is disabled, so one
 * that the keyboard focuses is only marked and ignores clicks until it loses the focus.
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

/** Reports whether the user prefers reduced motion, by a setting of the system or of the page. */
export function calm() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
