// @ts-check
/**
 * Plots of the whole run, drawn by uPlot, with curves for each lane: the amortised cost per tick and the cost of
 * the worst ticks, the number of pending timers and, if a timer fired early or late, the lateness. A line marks
 * the cursor, and the part after it is pale. A click or a drag moves the cursor.
 */
import { colourOf, currentPalette } from "../core/colours.js";
import { html, setText, svg } from "../core/dom.js";
import { t } from "../core/texts.js";

/** The plots in display order: the name of a curve in the server's answer, and the text key of the title. */
const KINDS = /** @type {const} */ ([["cost", "plot.cost"], ["live", "plot.live"], ["late", "plot.late"]]);

/** Height of a plot as a fraction of its width, and the limits of the height in rem. */
const SHAPE = { share: 0.27, least: 8, most: 14 };

/** The scale of costs is logarithmic if the costs of the lanes' worst ticks differ by more than this factor. */
const APART = 30;

/**
 * A plot on the page. `figures` are the elements that show the lanes' values at the cursor, `plot` is the uPlot
 * instance, and `now` is the line at the cursor.
 * @typedef {{kind: string, box: HTMLElement, figures: Element[], plot: any, now: HTMLElement}} Drawn
 */

export class Plots {
  /** @type {any} */
  #comparison = null;
  /** @type {Drawn[]} */
  #drawn = [];
  /** @type {any} the colours in which the curves are drawn */
  #palette = null;
  #at = -1;
  #making = 0;
  /** Whether costs use a logarithmic scale. */
  log = false;

  /** @param {HTMLElement} box @param {any} app @param {(tick: number) => void} seek */
  constructor(box, app, seek) {
    this.box = box;
    this.app = app;
    this.seek = seek;
    new ResizeObserver(() => this.#resize()).observe(box);
  }

  /**
   * Displays the comparison of another run. The scale is logarithmic if the costs differ too much for a
   * linear one.
   * @param {any} comparison
   */
  show(comparison) {
    this.#comparison = comparison;
    for (const curve of comparison.curves) curve.amortised = amortised(curve.mean, comparison.bucket, comparison.until);
    const worst = comparison.rows.map((/** @type {any} */ row) => Math.max(1, row.worst_tick));
    this.scale(Math.max(...worst) > APART * Math.min(...worst));
  }

  /** Draws the costs on a logarithmic or a linear scale. @param {boolean} log */
  scale(log) {
    this.log = log;
    this.#make();
  }

  /** Moves the line to the cursor, and redraws the plots if the colours have changed. */
  draw() {
    if (!this.#comparison) return;
    if (this.#palette !== currentPalette()) this.#make();
    const { tick } = this.app.store;
    if (tick === this.#at) return;
    this.#at = tick;
    for (const drawn of this.#drawn) this.#point(drawn, tick);
  }

  async #make() {
    this.#palette = currentPalette();
    const turn = ++this.#making;
    const Plot = await uPlot();
    if (turn !== this.#making) return; // the run or the theme has changed meanwhile
    for (const { plot } of this.#drawn) plot.destroy();
    this.box.replaceChildren();
    const kinds = KINDS.filter(([kind]) => kind !== "late" || this.#comparison.rows.some((/** @type {any} */ row) => row.late || row.early));
    this.box.dataset.plots = String(kinds.length);
    this.#drawn = kinds.map(([kind, title]) => this.#plot(Plot, kind, t(title)));
    this.#at = -1;
    this.app.loop.request();
  }

  /** Draws one plot. @param {any} Plot @param {string} kind @param {string} title @returns {Drawn} */
  #plot(Plot, kind, title) {
    const { curves, rows, bucket } = this.#comparison;
    const styles = rows.map((/** @type {any} */ _, /** @type {number} */ lane) => lineStyle(lane, rem() / 8));
    const figures = rows.map(() => html("b"));
    const keys = rows.map((/** @type {any} */ row, /** @type {number} */ lane) => legend(row.lane, styles[lane], figures[lane]));
    const each = html("small", {}, bucket === 1 ? t("plot.each") : t("plot.bucket", { n: bucket }));
    const caption = html("figcaption", {}, html("span", {}, title), " ", each, html("ul", { class: "plot-lanes wraps" }, ...keys));
    const canvas = html("div", { class: "plot-canvas", role: "img", "aria-label": t("plot.label", { title, n: rows.length }) });
    const box = html("figure", { class: "plot card" }, caption, canvas);
    this.box.append(box);
    const { data, series } = seriesOf(kind, curves, bucket, styles);
    const plot = new Plot({ ...this.#size(canvas), ...options(this.log && kind === "cost"), series: [{}, ...series] }, data, canvas);
    const now = html("div", { class: "plot-now" });
    plot.over.append(now);
    this.#listen(plot);
    return { kind, box, figures, plot, now };
  }

  /** Makes a click or a drag move the cursor to the tick under the pointer. @param {any} plot */
  #listen(plot) {
    const go = (/** @type {PointerEvent} */ event) => {
      const left = event.clientX - plot.over.getBoundingClientRect().left;
      const tick = Math.round(plot.posToVal(left, "x"));
      this.seek(Math.min(Math.max(tick, 0), this.#comparison.until));
    };
    plot.over.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      plot.over.setPointerCapture(event.pointerId);
      go(event);
    });
    plot.over.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => { if (event.buttons & 1) go(event); });
    plot.over.addEventListener("pointerup", go); // the final position counts, even if an earlier seek was in progress
  }

  /** Updates the cursor line and the values of one plot. @param {Drawn} drawn @param {number} tick */
  #point({ kind, figures, plot, now }, tick) {
    const { curves, bucket } = this.#comparison;
    now.style.transform = `translateX(${plot.valToPos(tick, "x").toFixed(1)}px)`;
    const k = Math.floor(tick / bucket);
    figures.forEach((figure, lane) => setText(figure, figureAt(curves[lane], kind, k)));
  }

  /** Returns the size of a plot in its container. @param {Element} canvas */
  #size(canvas) {
    const width = Math.max(200, canvas.clientWidth);
    return { width, height: Math.round(Math.min(Math.max(width * SHAPE.share, SHAPE.least * rem()), SHAPE.most * rem())) };
  }

  #resize() {
    for (const { plot, box } of this.#drawn) {
      const canvas = /** @type {Element} */ (box.querySelector(".plot-canvas"));
      if (canvas.clientWidth > 0 && canvas.clientWidth !== plot.width) plot.setSize(this.#size(canvas));
    }
    this.#at = -1;
    this.app.loop.request();
  }
}

/**
 * Formats a lane's value in a bucket. For costs, it is the amortised cost and the cost of the worst tick. For
 * lateness, it is negative if timers fired early and none fired late.
 * @param {any} curve the lane's curves @param {string} kind kind of the plot: "cost", "live" or "late"
 * @param {number} k index of the bucket
 */
function figureAt(curve, kind, k) {
  const number = (/** @type {number|undefined} */ n) => (n ?? 0).toLocaleString("en", { maximumFractionDigits: 2 });
  if (kind === "cost") return `${number(curve.amortised[k])} / ${number(curve.worst[k])}`;
  return number(kind === "late" && !curve.late[k] ? -curve.early[k] || 0 : curve[kind][k]);
}

/**
 * Returns, for each bucket, the mean cost of all ticks up to its end.
 * @param {number[]} means mean cost of each bucket @param {number} bucket number of ticks per bucket
 * @param {number} until the last tick
 */
function amortised(means, bucket, until) {
  let spent = 0;
  return means.map((mean, k) => {
    const end = Math.min((k + 1) * bucket, until + 1);
    spent += mean * (end - k * bucket);
    return spent / end;
  });
}

/** Width of the curve of the worst cost, relative to that of the amortised cost. */
const THIN = 0.45;

/**
 * Returns the data and the series of a plot, as uPlot expects them.
 * @param {string} kind @param {any[]} curves @param {number} bucket
 * @param {LineStyle[]} styles
 */
function seriesOf(kind, curves, bucket, styles) {
  const ticks = curves[0].mean.map((/** @type {any} */ _, /** @type {number} */ k) => k * bucket);
  const line = (/** @type {number} */ lane) => ({ stroke: styles[lane].colour, width: styles[lane].width, dash: styles[lane].dash, points: { show: false } });
  const data = [ticks, ...curves.map((curve) => curve[kind === "cost" ? "amortised" : kind])];
  const series = curves.map((_, lane) => line(lane));
  if (kind === "cost") {
    data.push(...curves.map((curve) => curve.worst));
    series.push(...curves.map((_, lane) => ({ ...line(lane), width: styles[lane].width * THIN })));
  }
  if (kind === "late") {
    data.push(...curves.map((curve) => curve.early.map((/** @type {number} */ n) => -n)));
    series.push(...curves.map((_, lane) => line(lane)));
  }
  return { data, series };
}

/** A logarithmic scale of uPlot that includes 0. */
const ASINH = { distr: 4, asinh: 1 };

/**
 * Returns the values that are labelled on a logarithmic axis: 0, 10, 100, … up to `high`. uPlot calls this
 * function.
 * @param {any} _ @param {number} _axis @param {number} _low @param {number} high maximum of the axis
 */
function powers(_, _axis, _low, high) {
  const all = [0];
  for (let n = 10; n <= high; n *= 10) all.push(n);
  return all;
}

/**
 * Returns the uPlot options that all plots share.
 * @param {boolean} log whether the scale is logarithmic
 */
function options(log) {
  const axis = {
    stroke: colourOf("--soft"), font: `${Math.round(rem() * 0.78)}px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: colourOf("--grid"), width: 1 }, ticks: { stroke: colourOf("--grid"), width: 1, size: 4 },
  };
  const wide = (/** @type {any} */ _, /** @type {string[]|null} */ words) => Math.round(rem() * (0.9 + 0.5 * Math.max(2, ...(words ?? []).map((w) => w.length))));
  return {
    legend: { show: false }, padding: [Math.round(rem() / 2), Math.round(rem()), 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: { x: { time: false }, y: { ...(log ? ASINH : {}), range: (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => [Math.min(0, low), Math.max(1, high * 1.06, low < 0 && high <= 0 ? 0 : 1)] } },
    axes: [{ ...axis, size: Math.round(rem() * 1.7) }, { ...axis, size: wide, ...(log ? { splits: powers } : {}), incrs: [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6, 7].map((p) => n * 10 ** p)).sort((a, b) => a - b) }],
  };
}

/** Returns a lane's legend entry: its line, its name and its value at the cursor. @param {string} name @param {LineStyle} style @param {Element} figure */
function legend(name, { colour, dash, width }, figure) {
  const line = svg("line", { x1: 0, x2: 28, y1: 4, y2: 4, stroke: colour, "stroke-width": Math.max(2.4, width), "stroke-dasharray": dash.join(" ") });
  return html("li", {}, svg("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, line), html("span", {}, name), " ", figure);
}

/** Returns the size of a rem in CSS pixels. */
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Number of colours that the style sheets define as --lane-0, --lane-1 and so on. */
const COLOURS = 6;

/** Dash patterns of curves: alternating lengths of dashes and gaps, in line widths. The first line is solid. */
const DASHES = [[], [5, 2.5], [1.2, 2], [7, 2, 1.2, 2]];

/** @typedef {{colour: string, dash: number[], width: number}} LineStyle colour, dashes and width of a lane's curve; lengths are in CSS pixels */

/**
 * Returns a lane's line style.
 * @param {number} lane index in file order
 * @param {number} width width of the line, in CSS pixels
 * @returns {LineStyle}
 */
function lineStyle(lane, width) {
  const dash = DASHES[(lane + Math.floor(lane / 12)) % DASHES.length];
  return { colour: colourOf(`--lane-${lane % COLOURS}`), dash: dash.map((n) => n * width), width };
}

/** @type {Promise<any>|null} */
let coming = null;

/** Resolves to the uPlot constructor. */
function uPlot() {
  coming ??= load().catch((error) => {
    coming = null; // the next call tries again
    throw error;
  });
  return coming;
}

async function load() {
  const script = Object.assign(document.createElement("script"), { src: new URL("../../js/vendor/uplot/uPlot.iife.min.js", import.meta.url).href });
  await new Promise((done, fail) => {
    script.addEventListener("load", done);
    script.addEventListener("error", () => fail(new Error("uPlot could not be fetched")));
    document.head.append(script);
  });
  return /** @type {any} */ (window).uPlot;
}
