// @ts-check
/**
 * Draws the queues of a lane below its picture: the buckets of a delay queue in the order of their due ticks,
 * and the timers of netty that are to be placed or removed. This module must agree with
 * templates/queues.templ, which renders the queues for the first paint.
 */
import { QUEUE_SHOWN } from "../core/limits.js";
import { html } from "../core/dom.js";
import { ringCount } from "../state/lane-state.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/**
 * The texts of an element of a queue: the due tick of a bucket or the name of a timer, a note such as the bucket's
 * slot, and a tooltip. `note` and `title` may be "".
 * @typedef {{name: string, note: string, title: string}} Item
 */

export class Queues {
  #drawn = "";

  /** @param {Element} box @param {import("../state/store.js").LaneInfo} info */
  constructor(box, info) {
    this.box = box;
    this.info = info;
  }

  /**
   * Redraws the queues if they changed.
   * @param {Lane} lane @param {(id: number) => string} name returns a timer's name
   * @param {boolean} rest whether the cursor is at rest; while it moves, the delay queue of a lane with mode "counts"
   *   is unknown
   */
  draw(lane, name, rest) {
    const queues = this.#queues(lane, name, rest);
    const look = JSON.stringify(queues);
    if (look === this.#drawn) return;
    this.#drawn = look;
    this.box.replaceChildren(...queues.flatMap(([title, items]) => [html("p", { class: "queue-name" }, items ? `${title} · ${items.length}` : title), listOf(items ?? [])]));
  }

  /**
   * Returns the queues of a lane.
   * @param {Lane} lane @param {(id: number) => string} name @param {boolean} rest
   * @returns {[string, Item[]|null][]} key and elements of each queue; elements are null if they are unknown
   */
  #queues(lane, name, rest) {
    const stale = lane.mode === "counts" && !rest; // queues are sent only with states
    if (this.info.algorithm === "netty") {
      return [[t("lane.queue.pending"), timersOf(lane, name, false)], [t("lane.queue.cancelled"), timersOf(lane, name, true)]];
    }
    if (this.info.algorithm === "redis") {
      return this.info.params.as === "corrected" ? [] : [[t("redis.queue.marked"), timersOf(lane, name, true)]];
    }
    const queued = this.info.algorithm === "riicarus" || (this.info.algorithm === "kafka" && this.info.params.drive !== "tick");
    if (!queued && lane.queue.length === 0) return [];
    return [[t("lane.queue.delay"), stale ? null : bucketsOf(lane)]];
  }
}

/** Returns the buckets of the delay queue. @param {Lane} lane @returns {Item[]} */
function bucketsOf(lane) {
  const many = ringCount(lane.levels) > 1;
  return lane.queue.map(([level, slot, due]) => ({
    name: String(due), note: many ? `${level}·${slot}` : String(slot), title: t("lane.queue.bucket", { level, slot, due }),
  }));
}

/**
 * Returns the timers that are not placed yet or, if marked is true, that are cancelled but not removed yet,
 * in order of id.
 * @param {Lane} lane @param {(id: number) => string} name @param {boolean} marked @returns {Item[]}
 */
function timersOf(lane, name, marked) {
  /** @type {number[]} */
  const found = [];
  for (const { level, entries } of lane.places.values()) {
    if (marked || level < 0) for (const e of entries) if (e.marked === marked) found.push(e.id);
  }
  return found.sort((a, b) => a - b).map((id) => ({ name: name(id), note: "", title: "" }));
}

/** Returns the list element with the first items of a queue. @param {Item[]} items */
function listOf(items) {
  const list = html("ol", { class: "queue" });
  for (const { name, note, title } of items.slice(0, QUEUE_SHOWN)) {
    list.append(html("li", { title }, html("b", {}, name), ...(note ? [" ", html("span", {}, note)] : [])));
  }
  const more = items.length > QUEUE_SHOWN ? `+${items.length - QUEUE_SHOWN}` : items.length === 0 ? "–" : "";
  if (more) list.append(html("li", { class: "more" }, more));
  return list;
}
