// @ts-check
/**
 * The texts that scripts display, in the language of the page. The page contains them as a JSON object.
 */

/** @type {Record<string, string>} */
let catalogue = {};

/** Sets the texts that t returns. @param {Record<string, string>} texts texts in the language of the page, by key */
export function setTexts(texts) {
  catalogue = texts;
}

/**
 * Returns a text with its placeholders replaced: {n} is the value of n; {n|timer|timers} is the first word if
 * n is 1, and otherwise the second. Returns the key if there is no such text.
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

/** Reports whether there is a text with the given key. @param {string} key */
export function hasText(key) {
  return key in catalogue;
}
