// @ts-check
/** The tooltip of the timeline: the ticks under the pointer, and what each lane did in them. */
import { byId, html } from "../../core/dom.js";
import { t } from "../../core/texts.js";

/** Minimum distance from the window's edge, in pixels. */
const EDGE_PX = 8;

export class Tip {
  #at = -1;

  /** @param {import("../../state/store.js").Store} store @param {import("./span.js").Span} span */
  constructor(store, span) {
    this.store = store;
    this.span = span;
    this.box = byId("time-tip");
  }

  /** Hides the tooltip, and sets the range of ticks for another run. @param {import("./span.js").Span} span */
  begin(span) {
    this.span = span;
    this.hide();
  }

  hide() {
    this.#at = -1;
    this.box.hidden = true;
  }

  /**
   * Shows the tooltip for a position.
   * @param {number} x distance from the left end of the timeline, in pixels
   * @param {DOMRect} strip bounds of the timeline in the window
   */
  show(x, strip) {
    const { timeline } = this.store;
    if (!timeline) return;
    const tick = this.span.tick(x);
    if (tick !== this.#at) {
      this.#at = tick;
      this.box.replaceChildren(...this.#lines(tick, timeline));
      this.box.hidden = false;
    }
    const { width } = this.box.getBoundingClientRect();
    const left = Math.min(innerWidth - width - EDGE_PX, Math.max(EDGE_PX, strip.left + x - width / 2));
    this.box.style.transform = `translateX(${Math.round(left - strip.left)}px)`;
  }

  /** Returns the lines of the tooltip for a tick. @param {number} tick @param {any} timeline */
  #lines(tick, timeline) {
    const { bucket, lanes, done, computed } = timeline;
    const k = Math.floor(tick / bucket);
    const last = Math.min((k + 1) * bucket - 1, this.store.until);
    const head = html("b", {}, t(last > k * bucket ? "timeline.ticks" : "timeline.tick", { from: k * bucket, to: last }));
    if (!done && tick > computed) return [head, html("span", {}, t("timeline.later"))];
    const rows = lanes.map((/** @type {any} */ lane, /** @type {number} */ i) => html("span", {}, html("i", {}, this.store.infos[i]?.id ?? ""), ` ${bucketWords(lane, k, bucket)}`));
    return [head, ...rows];
  }
}

/**
 * Returns a description of what a lane did in a bucket.
 * @param {Record<string, number[]>} lane @param {number} k index of the bucket
 * @param {number} ticks number of ticks in the bucket
 */
function bucketWords(lane, k, ticks) {
  const words = [t("timeline.live", { n: lane.live[k] ?? 0 })];
  for (const what of ["expire", "cascade", "reject", "finding"]) {
    if (lane[what]?.[k]) words.push(t(`timeline.${what}`, { n: lane[what][k] }));
  }
  if (lane.cost[k]) words.push(t(ticks > 1 ? "timeline.cost" : "timeline.cost.one", { n: lane.cost[k] }));
  return words.join(" · ");
}
