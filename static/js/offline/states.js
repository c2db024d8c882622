// @ts-check
/**
 * Every lane exactly after an event, by folding: on from where it was folded to last,
 * or from the nearest state that the file brought along.
 */
import { atMost } from "./search.js";
import { applyRow } from "../fold.js";
import { cell } from "../protocol.js";
import { laneOf } from "../lane-state.js";

/** @typedef {import("../lane-state.js").Lane} Lane */

/** Events folded between two looks at the rows: as many are parsed at a time. */
const PART = 2048;

export class States {
  #seq = -1;
  /** @type {Lane[]} */
  #lanes = [];

  /** @param {import("./recording.js").Recording} recording */
  constructor(recording) {
    this.recording = recording;
    this.frames = recording.score.frames;
    this.starts = this.frames.map((frame) => frame.seq);
  }

  /** The lanes after event seq; to be read only, until the next call. Throws where an event does not fit. @param {number} seq */
  at(seq) {
    const nearest = atMost(this.starts, seq);
    if (this.#seq > seq || this.#seq < this.starts[nearest]) {
      this.#lanes = this.frames[nearest].lanes.map(copyOf);
      this.#seq = this.starts[nearest];
    }
    while (this.#seq < seq) {
      const to = Math.min(seq, this.#seq + PART);
      this.recording.each(this.#seq, to, (rows, at) => applyRow(this.#lanes[cell(rows, at, "lane")], rows, at));
      this.#seq = to;
      for (const lane of this.#lanes) lane.touched.clear(); // nobody draws these
    }
    return this.#lanes;
  }
}

/** A lane of its own: folding changes its counts and its queue in place. @param {any} told a LANE @returns {Lane} */
function copyOf(told) {
  return laneOf({ ...told, counts: told.counts.slice(), queue: told.queue.slice() });
}
