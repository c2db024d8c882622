// @ts-check
/** The page's words: the catalogue that the page brought along, in its language. */

/** @type {Record<string, string>} */
let catalogue = {};

/** Takes the catalogue of one language. @param {Record<string, string>} texts */
export function setTexts(texts) {
  catalogue = texts;
}

/**
 * A text with its names filled in. A key that is missing shows itself.
 * @param {string} key @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  const text = catalogue[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there is a text called key. @param {string} key */
export function hasText(key) {
  return key in catalogue;
}
