// @ts-check
/**
 * The loop that draws the frames of the lab's page. It requests an animation frame only while there is
 * something to draw.
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
