// @ts-check
/** The page's texts: the catalogue included in the page, in its language. */

/** @type {Record<string, string>} */
let catalogue = {};

/** Sets the catalogue of one language. @param {Record<string, string>} texts */
export function setTexts(texts) {
  catalogue = texts;
}

/**
 * Returns a text with its placeholders replaced: {n} is the value of n; {n|timer|timers}
 * is the first word if n is 1, else the second. For a missing key it returns the key.
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

/** Reports whether a text exists. @param {string} key */
export function hasText(key) {
  return key in catalogue;
}
