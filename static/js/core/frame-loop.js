// @ts-check
/**
 * The loop that draws frames, the only one of the page that uses requestAnimationFrame. It stops when there
 * is nothing to draw.
 */

export class FrameLoop {
  #asked = false;

  /** @param {() => boolean} draw returns whether another frame is needed */
  constructor(draw) {
    this.draw = draw;
  }

  /** Requests a frame. */
  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      if (this.draw()) this.ask();
    });
  }
}
