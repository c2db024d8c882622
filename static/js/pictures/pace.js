// @ts-check
/**
 * How much work on tables a frame bears: what the browser does with new rows after the
 * scripts (style, layout) costs more than writing them, and differs from machine to
 * machine, so whole frames are measured and the scripts' share is set by that.
 */

/** Milliseconds that a whole frame may take, scripts and layout. Past 50 a page feels stuck. */
const FRAME_MS = 38;
const LEAST_MS = 4;
const MOST_MS = 22;

export class Pace {
  /** Milliseconds for the scripts' work in the next frame. */
  ms = 6;
  #began = 0;
  #measuring = false;
  #channel = new MessageChannel();

  constructor() {
    this.#channel.port1.onmessage = () => this.#ended();
  }

  /** A frame's work on tables began, and more is left: the message comes when the browser is done with it. @param {number} at */
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
