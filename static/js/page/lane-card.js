// @ts-check
/**
 * The card of a lane: the picture, the caption, the figures and the table. The server renders the cards of the
 * first run. A card for any other lane is made from a copy of an existing one.
 */
import { Picture } from "../picture/picture.js";
import { Table } from "./table.js";
import { COST, COUNT } from "../core/protocol.js";
import { drawWork } from "../picture/work.js";
import { captionOf } from "../picture/captions.js";
import { html, setAttr, setText } from "../core/dom.js";
import { geometryWords, turnWords } from "../state/words.js";
import { slotAt } from "../picture/spots.js";
import { t } from "../core/texts.js";
import { traitsOf } from "../state/traits.js";
import { QUEUE_SHOWN } from "../core/limits.js";
import { ringCount } from "../state/lane-state.js";

/** @typedef {import("../state/store.js").LaneInfo} LaneInfo */
/** @typedef {import("../state/lane-state.js").Lane} Lane */

/** The displayed totals, and the index of each in the counts of a lane. */
const TOTALS = /** @type {const} */ ({ live: COUNT.live, fired: COUNT.expired, cancelled: COUNT.cancelled, rejected: COUNT.rejected, early: COUNT.early, late: COUNT.late });

/** The indices of the parts of a tick's work in the cost of a lane. */
const WORK = [COST.slots, COST.touched, COST.compared, COST.moved];

export class LaneCard {
  #levels = /** @type {number[][]|null} the levels whose geometry is shown */ (null);
  /** The activity that the caption describes. @type {import("../state/activity.js").Activity|null} */
  #described = null;

  /** @param {Element} section @param {LaneInfo} info @param {string} tick @param {() => void} redraw */
  constructor(section, info, tick, redraw) {
    this.section = /** @type {HTMLElement} */ (section);
    this.info = info;
    this.tick = tick;
    this.picture = new Picture(/** @type {Element} */ (section.querySelector(".picture")), info, redraw);
    this.queues = new Queues(/** @type {Element} */ (section.querySelector("[data-queues]")), info);
    this.table = new Table(/** @type {Element} */ (section.querySelector(".places")), info);
    this.caption = /** @type {HTMLElement} */ (section.querySelector("[data-caption]"));
    this.totals = Object.entries(TOTALS).map(([name, place]) => ({ place, box: /** @type {Element} */ (section.querySelector(`[data-total="${name}"]`)) }));
    this.work = /** @type {Element} */ (section.querySelector(".blocks"));
    this.mean = /** @type {Element} */ (section.querySelector("[data-mean]"));
    this.worstAt = /** @type {Element} */ (section.querySelector("[data-cost-at]"));
    this.costs = ["tick", "worst", "total"].map((name) => ({ place: COST[/** @type {"tick"|"worst"|"total"} */ (name)], box: /** @type {Element} */ (section.querySelector(`[data-cost="${name}"]`)) }));
  }

  /**
   * Shows the time, the totals, the costs and the geometry.
   * @param {Lane} lane @param {number} tick the cursor's tick @param {number|null} most greatest work of a tick in any lane so
   *   far; null if the work strip stays as it is
   */
  count(lane, tick, most) {
    this.picture.time(lane);
    for (const { place, box } of this.totals) {
      setText(box, lane.counts[place]);
      box.classList.toggle("nil", lane.counts[place] === 0);
    }
    for (const { place, box } of this.costs) setText(box, lane.cost[place]);
    if (most !== null) drawWork(this.work, /** @type {import("../picture/work.js").Work} */ (WORK.map((place) => lane.cost[place] ?? 0)), lane.cost[COST.worst], most);
    setText(this.mean, meanWords(lane.cost[COST.total] / (tick + 1)));
    setText(this.worstAt, `t = ${lane.cost[COST.worstAt]}`);
    if (this.#levels === lane.levels) return;
    this.#levels = lane.levels;
    setText(/** @type {Element} */ (this.section.querySelector("[data-geometry]")), geometryWords(this.info, lane.levels));
    setText(/** @type {Element} */ (this.section.querySelector("[data-spans]")), turnWords(this.info, lane.levels, this.tick));
  }

  /** Converts a point in the window to units of the picture. @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
  units(event) {
    const box = /** @type {Element} */ (this.section.querySelector(".picture > svg")).getBoundingClientRect();
    return this.picture.zoom.at((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }

  /** Returns the slot under the pointer, or null if there is none. @param {MouseEvent} event */
  slotAt(event) {
    const { form } = this.picture;
    return form && (form.shape === "ring" || form.shape === "rows") ? slotAt(form, ...this.units(event)) : null;
  }

  /**
   * Describes the lane's activity at the cursor.
   * @param {Lane} lane @param {import("../state/activity.js").Activity|null} activity @param {(id: number) => string} name
   */
  describe(lane, activity, name) {
    if (activity && activity === this.#described) return;
    this.#described = activity;
    const caption = captionOf(activity, { info: this.info, lane, name, tick: this.tick });
    setText(this.caption, caption.text);
    setAttr(this.caption, "data-tone", caption.tone);
    setAttr(this.caption, "title", caption.text);
    if (caption.mark) setAttr(this.caption, "data-mark", caption.mark);
    else this.caption.removeAttribute("data-mark");
  }
}

/**
 * Formats a mean cost with 0 to 2 decimals. It must agree with meanCost in templates/compare_words.go.
 * @param {number} mean
 */
function meanWords(mean) {
  return mean >= 100 ? Math.round(mean).toLocaleString("en") : mean.toFixed(mean >= 10 ? 1 : 2);
}

/**
 * Creates the section of a lane from a copy of another one. The picture and the table in it are empty until
 * the card draws them.
 * @param {Element} model @param {LaneInfo} info @param {string} lang
 */
export function makeSection(model, info, lang) {
  const section = /** @type {HTMLElement} */ (model.cloneNode(true));
  const title = info.title[lang] ?? info.title.en;
  Object.assign(section.dataset, { lane: info.id, algorithm: info.algorithm, shape: info.shape });
  section.setAttribute("aria-label", `${title}, ${info.id}`);
  setText(/** @type {Element} */ (section.querySelector("h2")), title);
  setText(/** @type {Element} */ (section.querySelector(".kind code")), info.id);
  const badge = /** @type {HTMLElement} */ (section.querySelector(".badge"));
  badge.className = `badge ${biasOf(info)}`;
  badge.title = t(`lane.bias.title.${biasOf(info)}`);
  setText(badge, t(`lane.bias.${biasOf(info)}`));
  section.querySelector(".places")?.setAttribute("aria-label", t("table.caption", { title, id: info.id }));
  section.querySelectorAll(".places tbody").forEach((body) => body.replaceChildren());
  for (const part of section.querySelectorAll("[data-caption], [data-queues]")) part.replaceChildren();
  section.querySelector(".zooms")?.setAttribute("aria-label", t("zoom.of", { title }));
  for (const what of ["large", "dial", "slots"]) section.querySelector(`[data-view="${what}"]`)?.setAttribute("aria-label", t(`lane.${what}`, { title }));
  section.classList.remove("large");
  section.querySelector("[data-stage-picture]")?.removeAttribute("data-stage-picture");
  blankPicture(/** @type {Element} */ (section.querySelector(".picture svg")), info, title);
  return section;
}

/**
 * Empties a picture, which the card draws.
 * @param {Element} box @param {LaneInfo} info @param {string} title
 */
function blankPicture(box, info, title) {
  box.setAttribute("viewBox", "0 0 400 400");
  box.parentElement?.classList.remove("zoomed", "close-up");
  box.setAttribute("aria-label", t(`picture.${info.shape}`, { title }));
  box.replaceChildren();
}

/**
 * Returns whether timers of a lane fire at their due ticks, or may fire late, early, or both.
 * @param {{algorithm: string, exact: boolean, params?: Record<string, any>}} info
 * @returns {"exact"|"late"|"early"|"both"}
 */
function biasOf({ algorithm, exact, params = {} }) {
  if (exact) return "exact";
  if (algorithm === "redis" && params.as === "corrected") return "late";
  const { bias } = traitsOf(algorithm);
  if (bias === "both" || bias === "early") return bias;
  if (params.variant === "procinc" || (params.migration && params.migration !== "full")) return "both";
  return params.rounding === "floor" ? "early" : "late";
}

/**
 * The texts of an element of a queue: the due tick of a bucket or the name of a timer, a note such as the bucket's
 * slot, and a tooltip. `note` and `title` may be "".
 * @typedef {{name: string, note: string, title: string}} Item
 */

class Queues {
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
