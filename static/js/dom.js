// @ts-check
/** Small helpers over the DOM: nothing is written that is already so. */

const SVG = "http://www.w3.org/2000/svg";

/** An element of the page that is always there. @param {string} id @returns {any} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** A new SVG element. @param {string} name @param {Record<string, string|number>} [attributes] @param {string} [text] */
export function svg(name, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A new HTML element. @param {string} name @param {Record<string, string|number>} [attributes] @param {string} [text] */
export function html(name, attributes = {}, text) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Writes a text where it differs. @param {Element} element @param {string|number} text */
export function setText(element, text) {
  const string = String(text);
  if (element.textContent !== string) element.textContent = string;
}

/** Writes an attribute where it differs. @param {Element} element @param {string} name @param {string|number} value */
export function setAttr(element, name, value) {
  const string = String(value);
  if (element.getAttribute(name) !== string) element.setAttribute(name, string);
}

/** Whether the user asked for little motion, of the system or of the page. */
export function calm() {
  return document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
