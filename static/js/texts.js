// @ts-check
/** The page's words: the catalogue that the page brought along, in its language. */

/** @type {Record<string, string>} */
let catalogue = {};

/** Takes the catalogue of one language. @param {Record<string, string>} texts */
export function setTexts(texts) {
  catalogue = texts;
}

/**
 * A text with its names filled in: {n} is the value of n, {n|timer|timers} the
 * first word where it is 1, else the second. A key that is missing shows itself.
 * @param {string} key @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  const text = catalogue[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (whole, name, one, many) => {
    if (!(name in values)) return whole;
    if (one === undefined) return String(values[name]);
    return String(values[name]) === "1" ? one : many;
  });
}

/** Whether there is a text called key. @param {string} key */
export function hasText(key) {
  return key in catalogue;
}
