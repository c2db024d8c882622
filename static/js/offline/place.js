// @ts-check
/**
 * The address of a page that is a file: `#seq=N&lang=zh`. A file can't have another
 * address than its own, so what the page writes as its address is put behind the "#".
 */

/** The event that the part of an address behind the "#" asks for; null: it names none. */
export function asked(hash = location.hash) {
  const seq = Number(new URLSearchParams(hash.slice(1)).get("seq") ?? NaN);
  return Number.isInteger(seq) && seq >= 0 ? seq : null;
}

/** Writes an event into the address. @param {number} seq @param {string} lang */
export function write(seq, lang) {
  history.replaceState(null, "", `#${new URLSearchParams({ seq: String(seq), lang })}`);
}

/** Opens the file again in another language. @param {string} lang @param {number} seq */
export function speak(lang, seq) {
  write(seq, lang);
  location.reload();
}

/** Tells which event an address asks for that was typed or followed. @param {(seq: number) => void} go */
export function listen(go) {
  addEventListener("hashchange", (event) => {
    const seq = asked(new URL(event.newURL).hash); // the page may have written its own since
    if (seq !== null) go(seq);
  });
}
