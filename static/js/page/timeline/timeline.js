// @ts-check
/**
 * The timeline: an overview of the run with a row for each lane. The part after the cursor is pale. A slider
 * on top of it moves the cursor. The rows are drawn once per visible range; in a frame only the cursor is
 * moved.
 */
import { Span, drawTicks } from "./span.js";
import { byId, html, setAttr, setDisabled } from "../../core/dom.js";
import { currentPalette } from "../../core/colours.js";
import { drawRows, together } from "./rows.js";
import { readStored, writeStored } from "../../core/storage.js";
import { tickUnit } from "../../core/times.js";
import { t } from "../../core/texts.js";

/** Key in the browser's storage for whether the lanes share one row: "folded", or "rows" for a row per lane. */
const FOLD = "wheelscope.timeline";

export class Timeline {
  /** @type {any} the last timeline message that was drawn */
  #drawn = null;
  /** @type {any} */
  #palette = null;
  #stale = true;
  #tick = 0;
  #height = 0;
  #below = 0;
  #font = "";
  span = new Span();
  /** Whether all lanes share one row, and the settings below it are hidden. */
  folded = true;

  /** @param {import("../../state/store.js").Store} store @param {() => void} redraw */
  constructor(store, redraw) {
    this.store = store;
    this.redraw = redraw;
    this.canvas = byId("timeline");
    this.ticks = byId("time-ticks");
    this.slider = byId("time");
    this.box = byId("time-box");
    this.tip = new Tip(store, this.span);
    this.#fold(readStored(FOLD) !== "rows");
    new ResizeObserver(() => this.#measure()).observe(this.canvas);
    this.#listen();
  }

  /** Shows the lane names and the full range of another run. */
  begin() {
    const { infos, until } = this.store;
    const { width } = this.span;
    this.span = new Span(until);
    this.span.width = width;
    this.tip.begin(this.span);
    byId("time-names").replaceChildren(...infos.map(({ id }) => html("li", { title: id }, id)));
    for (const id of ["time-in", "time-out", "time-fit"]) byId(id).hidden = !this.span.deep;
    this.#showSpan();
  }

  /**
   * Draws newly computed data, and moves the cursor.
   * @param {number} goal target of a seek in progress, or −1 if there is none
   */
  draw(goal) {
    const { timeline, tick } = this.store;
    if (tick !== this.#tick && this.span.follow(tick)) this.#spanned();
    this.#tick = tick;
    byId("future").style.transform = this.#at(tick);
    if (goal >= 0) byId("goal").style.transform = this.#at(goal);
    byId("goal").toggleAttribute("hidden", goal < 0);
    const palette = currentPalette();
    if (this.#drawn === timeline && this.#palette === palette && !this.#stale) return;
    [this.#drawn, this.#palette, this.#stale] = [timeline, palette, false];
    const [context, below] = [this.canvas, this.ticks].map((canvas) => cleared(canvas));
    if (this.store.until === 0 || this.#height === 0) return; // the player may be hidden in a frame of another page
    const sheet = { context, span: this.span, bucket: timeline?.bucket ?? 1, palette };
    if (timeline) { // otherwise nothing of the run is computed yet
      const rows = this.folded ? [together(timeline.lanes)] : timeline.lanes;
      drawRows(sheet, rows, this.#height, timeline.done ? this.store.until : timeline.computed);
    }
    drawTicks({ ...sheet, context: below }, this.#below, this.#font, tickUnit(this.store.length));
  }

  /**
   * Returns the CSS transform that moves a mark to a tick. A tick outside the visible range is moved just out
   * of view.
   * @param {number} tick
   */
  #at(tick) { return `translateX(${Math.min(this.span.width + 9, Math.max(-9, this.span.x(tick)))}px)`; }

  /**
   * Measures the size of the timeline. Measuring it in every frame would force the browser to compute the
   * layout.
   */
  #measure() {
    this.span.width = this.canvas.clientWidth;
    this.#height = this.canvas.clientHeight;
    this.#below = this.ticks.clientHeight;
    const style = getComputedStyle(this.ticks);
    this.#font = `${style.fontSize} ${style.fontFamily}`;
    for (const canvas of [this.canvas, this.ticks]) {
      canvas.width = Math.round(this.span.width * devicePixelRatio);
      canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    }
    this.#stale = true;
    this.#markDone();
    this.redraw();
  }

  /**
   * Positions the pale area. It starts half a tick after the cursor, since the bars and marks of a tick
   * extend to both sides of it.
   */
  #markDone() {
    byId("future").style.setProperty("--done", `${(this.span.x(1) - this.span.x(0)) / 2}px`);
  }

  #listen() {
    this.slider.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => this.#touch(e));
    this.slider.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => {
      if (e.pointerType !== "touch") this.tip.show(e.offsetX, this.slider.getBoundingClientRect());
      if (e.buttons) this.#touch(e);
    });
    for (const kind of ["pointerleave", "pointercancel"]) this.slider.addEventListener(kind, () => this.tip.hide());
    this.slider.addEventListener("wheel", (/** @type {WheelEvent} */ e) => {
      if (!e.ctrlKey || !this.span.deep) return; // without Ctrl the wheel scrolls the page
      e.preventDefault();
      this.#zoom(e.deltaY < 0 ? 1 : -1, this.span.tick(e.offsetX));
    }, { passive: false });
    byId("time-fold").addEventListener("click", () => { this.#fold(!this.folded); writeStored(FOLD, this.folded ? "folded" : "rows"); });
    byId("time-in").addEventListener("click", () => this.#zoom(1, this.store.tick));
    byId("time-out").addEventListener("click", () => this.#zoom(-1, this.store.tick));
    byId("time-fit").addEventListener("click", () => this.#zoom(-64, 0));
  }

  /**
   * Moves the slider to a touch anywhere on the timeline. In some browsers only the thumb of a slider can be
   * dragged.
   * @param {PointerEvent} event
   */
  #touch(event) {
    if (event.pointerType === "mouse" || this.slider.disabled) return;
    const tick = String(this.span.tick(event.offsetX));
    if (this.slider.value === tick) return;
    this.slider.value = tick;
    this.slider.dispatchEvent(new Event("input"));
  }

  /** Shows one row for all lanes, or one row per lane. @param {boolean} folded */
  #fold(folded) {
    this.folded = folded;
    this.box.toggleAttribute("data-folded", folded);
    setAttr(byId("time-fold"), "aria-expanded", String(!folded));
    this.#stale = true;
    this.redraw();
  }

  /** Zooms in or out around a tick. @param {number} steps @param {number} about */
  #zoom(steps, about) {
    this.span.zoom(steps, about);
    this.#spanned();
    this.redraw();
  }

  /** Updates the page after a change of the visible range. */
  #spanned() {
    this.#stale = true;
    this.tip.hide();
    this.#showSpan();
  }

  #showSpan() {
    const { from, to, whole, narrow } = this.span;
    setAttr(this.slider, "min", from);
    setAttr(this.slider, "max", to);
    setDisabled(byId("time-in"), narrow);
    setDisabled(byId("time-out"), whole);
    setDisabled(byId("time-fit"), whole);
    this.#stale = true;
    this.#markDone();
  }
}

/** Returns the context of a canvas, cleared and scaled to CSS pixels. @param {HTMLCanvasElement} canvas */
function cleared(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** Minimum distance from the window's edge, in pixels. */
const EDGE_PX = 8;

class Tip {
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
   * @param {DOMRect} bounds bounds of the timeline in the window
   */
  show(x, bounds) {
    const { timeline } = this.store;
    if (!timeline) return;
    const tick = this.span.tick(x);
    if (tick !== this.#at) {
      this.#at = tick;
      this.box.replaceChildren(...this.#lines(tick, timeline));
      this.box.hidden = false;
    }
    const { width } = this.box.getBoundingClientRect();
    const left = Math.min(innerWidth - width - EDGE_PX, Math.max(EDGE_PX, bounds.left + x - width / 2));
    this.box.style.transform = `translateX(${Math.round(left - bounds.left)}px)`;
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
