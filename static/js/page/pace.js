// @ts-check
/**
 * Adjusts the time limit for updating tables in a frame to the speed of the machine. When the scripts of a frame
 * have ended, the browser computes the style and layout of new rows, which takes longer than creating the rows.
 * This module therefore measures the duration of complete frames.
 */

/**
 * Maximum duration of a frame, including scripts and layout, in milliseconds. Above 50 ms a page feels
 * unresponsive.
 */
const FRAME_MS = 38;
const LEAST_MS = 4;
const MOST_MS = 22;

export class Pace {
  /** Time limit for updating tables in the next frame, in milliseconds. */
  ms = 6;
  #began = 0;
  #measuring = false;
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#ended();
  }

  /**
   * Starts to measure a frame. The measurement ends with a message that arrives when the browser has finished
   * the frame.
   * @param {number} at time at which the frame began, as performance.now()
   */
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
