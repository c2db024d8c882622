// @ts-check
/**
 * Animates a canvas while many timers move. The timers that do not move are drawn on the canvas. There are
 * two canvases above it: one with the timers at their previous positions, which vanishes, and one with the
 * picture after the movement, which appears.
 */
import { ARRIVE, LEAVE } from "./motion.js";
import { placeKey } from "../state/lane-state.js";

/** @typedef {import("../state/activity.js").Flow} Flow */
/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {import("./picture.js").Dot} Dot */
/** @typedef {Map<number, {x: number, y: number}|null>} Origins previous position of each moving timer, by id; null if the timer was in no place */

export class Parts {
  /** @type {{leaving: HTMLCanvasElement, arriving: HTMLCanvasElement}|null} */
  #layers = null;

  /** @param {Flow[]} flows flows in the direction of the movement @param {Origins} origins origins of the timers that are drawn one by one */
  constructor(flows, origins) {
    this.flows = flows;
    this.origins = origins;
  }

  /**
   * Draws all parts. The first call creates the two upper canvases.
   * @param {import("./canvas.js").Overlay} overlay
   * @param {(part: "all"|"leaving"|"staying") => void} draw draws a part on the overlay
   */
  draw(overlay, draw) {
    if (!this.#layers) {
      draw("all");
      const arriving = copyOf(overlay);
      draw("leaving");
      this.#layers = { leaving: copyOf(overlay), arriving };
      overlay.canvas.after(this.#layers.leaving, arriving);
    }
    draw("staying");
  }

  /** Starts the animation of the canvases. @param {import("./motion.js").Motion} motion @param {number} ms */
  animate(motion, ms) {
    if (!this.#layers) return;
    motion.play(this.#layers.leaving, LEAVE, ms);
    motion.play(this.#layers.arriving, ARRIVE, ms);
  }

  remove() {
    this.#layers?.leaving.remove();
    this.#layers?.arriving.remove();
  }

  /**
   * Returns the dots of a part.
   * @param {Dot[]} dots all dots after the movement @param {"all"|"leaving"|"staying"} part @returns {Dot[]}
   */
  dotsOf(dots, part) {
    if (part === "all") return dots;
    if (part === "staying") return dots.filter(({ entry }) => !this.origins.has(entry.id));
    return dots.flatMap((dot) => {
      const from = this.origins.get(dot.entry.id);
      return from ? [{ ...dot, spot: { ...from, r: dot.spot.r } }] : [];
    });
  }

  /**
   * Returns a copy of the lane in which each place has only the timers of a part: for "leaving", the timers that
   * move, in the places that they leave; for "staying", the timers that do not move. For "all", returns the lane.
   * @param {Lane} lane the lane after the movement @param {"all"|"leaving"|"staying"} part @returns {Lane}
   */
  countsOf(lane, part) {
    if (part === "all") return lane;
    const places = part === "staying" ? new Map(lane.places) : new Map();
    for (const { from, to, count } of this.flows) {
      if (part === "staying") take(places, lane, to, count);
      else add(places, from, count);
    }
    return { ...lane, places };
  }
}

/** Returns a copy of a canvas. @param {import("./canvas.js").Overlay} overlay */
function copyOf({ canvas }) {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  copy.getContext("2d")?.drawImage(canvas, 0, 0);
  return copy;
}

/**
 * Subtracts `count` timers from the count of a slot. If the slot contains fewer, because the flow represents
 * several adjacent slots, the rest is subtracted from the counts of the next slots.
 * @param {Lane["places"]} places @param {Lane} lane @param {Flow["to"]} to @param {number} count
 */
function take(places, lane, { level, slot }, count) {
  const slots = lane.levels.find(([number]) => number === level)?.[1] ?? 0;
  for (let at = slot; count > 0 && at < Math.max(slots, slot + 1); at++) {
    const key = placeKey(level, at);
    const place = places.get(key);
    if (!place) continue;
    const taken = Math.min(count, place.count);
    count -= taken;
    places.set(key, { ...place, count: place.count - taken });
  }
}

/**
 * Adds timers to the count of a slot.
 * @param {Lane["places"]} places @param {Flow["from"]} from @param {number} count
 */
function add(places, { level, slot }, count) {
  const key = placeKey(level, slot);
  places.set(key, { level, slot, count: count + (places.get(key)?.count ?? 0), entries: [] });
}
