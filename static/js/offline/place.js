// @ts-check
/**
 * The URL of a page that is a single file: `#seq=N&lang=zh`. The page can only change the
 * fragment, so its state is stored there.
 */

/** Returns the event in a URL's fragment; null if it contains none. */
export function eventInURL(hash = location.hash) {
  const seq = Number(new URLSearchParams(hash.slice(1)).get("seq") ?? NaN);
  return Number.isInteger(seq) && seq >= 0 ? seq : null;
}

/** Writes an event to the URL. @param {number} seq @param {string} lang */
export function write(seq, lang) {
  history.replaceState(null, "", `#${new URLSearchParams({ seq: String(seq), lang })}`);
}

/** Reopens the file in another language. @param {string} lang @param {number} seq */
export function reopenIn(lang, seq) {
  write(seq, lang);
  location.reload();
}

/** Calls go when the user opens a URL with another event in its fragment. @param {(seq: number) => void} go */
export function listen(go) {
  addEventListener("hashchange", (event) => {
    const seq = eventInURL(new URL(event.newURL).hash); // the page may have updated the URL since
    if (seq !== null) go(seq);
  });
}
