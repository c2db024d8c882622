// @ts-check
/** The one requestAnimationFrame of the page. It stops when nothing is to be drawn. */

export class FrameLoop {
  #asked = false;

  /** @param {() => boolean} draw tells whether another frame is needed */
  constructor(draw) {
    this.draw = draw;
  }

  /** Draws at the next frame. */
  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      if (this.draw()) this.ask();
    });
  }
}
