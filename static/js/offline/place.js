// @ts-check
/**
 * The URL of a page that is a single file. The page can change only the fragment, which stores its state:
 * `#seq=N&lang=zh`.
 */

/** Returns the number of the event in a URL's fragment, or null if there is none. */
export function eventInURL(hash = location.hash) {
  const seq = Number(new URLSearchParams(hash.slice(1)).get("seq") ?? NaN);
  return Number.isInteger(seq) && seq >= 0 ? seq : null;
}

/**
 * Stores the number of an event and a language in the fragment of the page's URL.
 * @param {number} seq @param {string} lang
 */
export function write(seq, lang) {
  history.replaceState(null, "", `#${new URLSearchParams({ seq: String(seq), lang })}`);
}

/** Reopens the file in another language. @param {string} lang @param {number} seq */
export function reopenIn(lang, seq) {
  write(seq, lang);
  location.reload();
}

/**
 * Calls the function `go` when the user opens a URL with another event in its fragment.
 * @param {(seq: number) => void} go
 */
export function listen(go) {
  addEventListener("hashchange", (event) => {
    const seq = eventInURL(new URL(event.newURL).hash); // the page may have updated the URL since
    if (seq !== null) go(seq);
  });
}
