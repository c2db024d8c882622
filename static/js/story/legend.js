// @ts-check
/**
 * The legend of the pictures. It is open before the first event, and closed afterwards, unless the user has
 * opened or closed it.
 */

export class Legend {
  /** Whether the user has opened or closed the legend. */
  #chosen = false;
  #own = false;

  /** @param {import("../state/store.js").Store} store */
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
