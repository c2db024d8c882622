// @ts-check
/**
 * The loop that draws the frames of the lab's page. It requests an animation frame only while there is
 * something to draw.
 */

export class FrameLoop {
  #requested = false;

  /** @param {() => boolean} draw returns whether another frame is needed */
  constructor(draw) {
    this.draw = draw;
  }

  /** Requests a frame. */
  request() {
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame(() => {
      this.#requested = false;
      if (this.draw()) this.request();
    });
  }
}
