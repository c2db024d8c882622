// @ts-check
/**
 * Adaptive time limit for updating tables per frame. The browser's style and layout of new
 * rows, after the scripts, costs more than writing them and differs between machines, so
 * whole frames are measured and the time for scripts is adjusted.
 */

/** Maximum duration of a whole frame, scripts and layout, in milliseconds. Above 50 a page feels unresponsive. */
const FRAME_MS = 38;
const LEAST_MS = 4;
const MOST_MS = 22;

export class Pace {
  /** Time for scripts in the next frame, in milliseconds. */
  ms = 6;
  #began = 0;
  #measuring = false;
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#ended();
  }

  /** Starts measuring a frame with more work to do: the message arrives when the browser has finished the frame. @param {number} at */
  began(at) {
    if (this.#measuring) return;
    this.#measuring = true;
    this.#began = at;
    this.#channel.port2.postMessage(0);
  }

  #ended() {
    this.#measuring = false;
    const took = performance.now() - this.#began;
    this.ms = Math.max(LEAST_MS, Math.min(MOST_MS, this.ms * (took > FRAME_MS ? Math.max(0.4, FRAME_MS / took) : 1.2)));
  }
}
