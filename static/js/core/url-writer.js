// @ts-check
/** The writer of the URL, which limits the rate of its updates. */

/** Minimum interval between two updates of the URL, in milliseconds; browsers limit their rate. */
const INTERVAL_MS = 400;

/** Writes what the page shows to its URL. */
export class URLWriter {
  #timer = 0;
  #writtenAt = -INTERVAL_MS;

  /** @param {() => string} url returns the URL to write, or "" if it stays as it is */
  constructor(url) { this.url = url; }

  /** Writes the URL, at once or when INTERVAL_MS have passed since it was written last. */
  request() {
    const wait = this.#writtenAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.write();
    else this.#timer ||= setTimeout(() => this.write(), wait);
  }

  /** Writes the URL at once. */
  write() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#writtenAt = performance.now();
    const url = this.url();
    if (url) history.replaceState(null, "", url);
  }
}
