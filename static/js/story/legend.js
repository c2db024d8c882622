// @ts-check
/**
 * How the pictures are read: told openly while nothing has happened yet, folded once
 * there is a story to tell. What the user opened or closed stays so.
 */

export class Legend {
  /** Opened or closed by hand. */
  #chosen = false;
  #own = false;

  /** @param {import("../store.js").Store} store */
  constructor(store) {
    this.store = store;
    this.box = /** @type {HTMLDetailsElement} */ (document.querySelector(".panel .signs"));
    this.box.querySelector("summary")?.addEventListener("click", () => { this.#chosen = true; });
  }

  moved() {
    const open = this.store.seq === 0;
    if (this.#chosen || this.#own === open) return;
    this.#own = open;
    this.box.open = open;
  }
}
