// @ts-check
/** One lane of the page: its wheel, its hub, its work strip, its unrolled diagram and its table. */
import { html, setAttr, setText, svg } from "../core/dom.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";
import { CENTRE, RING_IN } from "../picture/dimensions.js";
import { frame, heightOf } from "../picture/frame.js";
import { handSlot, sortedPlaces } from "../state/lane-state.js";
import { formFor, handPosition } from "../picture/form.js";
import { hubRadius, mod, point } from "../picture/face.js";
import { paint } from "../picture/nodes.js";
import { originOf, sceneOf } from "../picture/scene.js";
import { present, unrolled } from "../picture/unrolled.js";
import { BLOCKS_MAX, blocks, drawWork } from "../picture/work.js";
import { COUNT } from "../core/protocol.js";
import { fillTimers } from "../page/table.js";
import { placeCell, tableHead } from "../state/words.js";

/** @typedef {import("../picture/window.js").Window} Window */
/** @typedef {import("./clock.js").Instant} Instant */
/** @typedef {import("../picture/frame.js").Look} Look */

/** Smallest radius, in pixels, in which a knob is hit. */
const GRIP = { fine: 16, coarse: 24 };

export class LaneView {
  /** Pixels per unit of the picture. */
  scale = 1;
  /** @type {import("../picture/form.js").Form} */
  form;
  /** @type {import("../picture/scene.js").Scene|null} */
  scene = null;
  /** @type {import("../picture/frame.js").Dot[]} */
  dots = [];
  #diagramSize = [0, 0];
  #drawnUnrolled = "";

  /** @param {HTMLElement} section @param {number} index @param {Window} win */
  constructor(section, index, win) {
    this.section = section;
    this.index = index;
    this.win = win;
    this.form = formFor(win, index);
    this.stage = /** @type {HTMLElement} */ (section.querySelector(".stage"));
    this.wheel = /** @type {SVGSVGElement} */ (section.querySelector(".wheel"));
    this.caption = /** @type {HTMLElement} */ (section.querySelector(".cap"));
    this.strip = /** @type {HTMLElement} */ (section.querySelector(".blocks"));
    this.diagram = /** @type {HTMLElement} */ (section.querySelector(".unroll"));
    this.lines = this.diagram.appendChild(svg("svg", { "aria-hidden": "true" }));
    this.mini = document.querySelectorAll(".pager .mini")[index] ?? null;
    this.time = html("div", { class: "t" }, html("span"), html("small"));
    this.more = /** @type {HTMLButtonElement} */ (html("button", { class: "more", type: "button" }, t("entry.add")));
    this.input = /** @type {HTMLInputElement} */ (html("input", { autocomplete: "off", "aria-label": t("entry.add.delay"), value: "15" }));
    this.dialog = html("form", {}, html("span", { "aria-hidden": "true" }, "+"), this.input, html("span", { "aria-hidden": "true" }, tickUnit(win.run.tick).trim()));
    this.hub = /** @type {HTMLElement} */ (this.stage.querySelector(".hub"));
    this.hub.replaceChildren(this.time, this.more, this.dialog);
    this.wheel.replaceChildren();
    this.setWindow(win);
  }

  /** Shows the events of another run. @param {Window} win */
  setWindow(win) {
    this.win = win;
    this.form = formFor(win, this.index);
    this.#drawnUnrolled = "";
    const round = this.form.kind === "ring";
    this.section.classList.toggle("flat", !round);
    this.hub.style.setProperty("--hub", String(round ? hubRadius(this.form.rings.length) : 60));
    setAttr(this.wheel, "viewBox", `0 0 400 ${heightOf(this.form)}`);
    this.resize();
  }

  resize() {
    this.#diagramSize = [this.diagram.clientWidth, this.diagram.clientHeight];
    const { clientWidth: wide, clientHeight: high } = this.stage;
    if (!wide || !high) return;
    this.scale = Math.min(wide / 400, high / heightOf(this.form));
    this.stage.style.setProperty("--scale", String(this.scale));
    this.stage.style.setProperty("--u", String(1 / this.scale));
    this.#drawnUnrolled = "";
  }

  /** Draws an instant. @param {Instant} at @param {Look} look @param {{tick: number, worst: number, most: number}} work the tick whose work is shown, and the greatest work so far, in this lane and of one kind in any lane */
  draw(at, look, work) {
    this.scene = sceneOf(this.win, this.index, at.T, at.pacing);
    const { nodes, dots } = frame(this.form, this.scene, look);
    this.dots = dots;
    paint(this.wheel, nodes);
    this.wheel.classList.toggle("dragging", Boolean(look.held));
    const [number, unit] = this.time.children;
    setText(number, this.scene.tick);
    setText(unit, tickUnit(this.win.run.tick));
    this.#work(work);
  }

  /** @param {{tick: number, worst: number, most: number}} work */
  #work({ tick, worst, most }) {
    const now = this.win.work(this.index, tick);
    if (!drawWork(this.strip, now, worst, most)) return;
    this.mini?.replaceChildren(...blocks(now, most).slice(0, BLOCKS_MAX).map(({ kind }) => html("i", { class: kind })));
  }

  /** Draws the unrolled diagram. @param {number} T @param {number} hot */
  drawUnrolled(T, hot) {
    const [wide, high] = this.#diagramSize;
    if (!wide || !high) return;
    const key = `${wide}/${high}/${hot}`;
    if (key !== this.#drawnUnrolled) {
      this.#drawnUnrolled = key;
      setAttr(this.lines, "viewBox", `0 0 ${wide} ${high}`);
      paint(this.lines, [["g", {}, unrolled(this.win, this.index, wide, high, hot)], ["g", {}, []]]);
    }
    paint(this.lines.children[1], present(this.win, T, wide, high));
  }

  /** Returns a point of the page in units of the picture. @param {{clientX: number, clientY: number}} event */
  unitsAt(event) {
    const box = this.stage.getBoundingClientRect();
    const high = heightOf(this.form);
    return { x: (event.clientX - box.left - box.width / 2) / this.scale + CENTRE, y: (event.clientY - box.top - box.height / 2) / this.scale + high / 2 };
  }

  /**
   * Returns what is at a point: the level of a hand, a timer, or a slot.
   * @param {{x: number, y: number}} at @param {boolean} coarse whether the pointer is a finger
   * @returns {{hand: number}|{timer: number}|{level: number, slot: number, part: number}|null}
   */
  hit({ x, y }, coarse) {
    const { scene } = this;
    if (!scene) return null;
    const reach = (coarse ? GRIP.coarse : GRIP.fine) / this.scale;
    let best = Infinity;
    let hand = -1;
    for (const [level, ring] of this.form.rings.entries()) {
      if (level > 0 && !scene.after.levels.some(([l]) => l === level)) continue;
      const [kx, ky] = point(level ? ring.outer - RING_IN : ring.outer, handPosition(ring, scene.clock, originOf(this.win, this.index)), ring.slots);
      const far = Math.hypot(x - kx, y - ky);
      if (far < Math.min(best, reach)) [best, hand] = [far, level];
    }
    if (hand >= 0) return { hand };
    const dot = this.dots.findLast((d) => Math.hypot(x - d.x, y - d.y) <= Math.max(d.r, (coarse ? 18 : 0) / this.scale));
    if (dot) return { timer: dot.id };
    return this.form.at(x, y);
  }

  /** Returns the due ticks that a slot means now, the first and the last. @param {number} level @param {number} slot @param {number} now */
  dueOf(level, slot, now) {
    const ring = this.form.rings[level];
    if (!ring) return null;
    const origin = originOf(this.win, this.index);
    const current = handSlot([level, ring.slots, ring.width], now, origin);
    const begun = now - mod(mod(origin, ring.width) + now, ring.width); // first tick of the current slot
    const first = begun + (mod(slot - current, ring.slots) || ring.slots) * ring.width;
    return { first: Math.max(first, now + 1), last: first + ring.width - 1 };
  }
}

/** Names of totals, as in data-total, with their index among the counts of a lane. */
const TOTALS = { live: COUNT.live, fired: COUNT.expired, cancelled: COUNT.cancelled, rejected: COUNT.rejected, early: COUNT.early, late: COUNT.late };
/** Maximum number of rows of a table. */
const ROWS_MAX = 2048;

/**
 * Fills the numbers and the table of a lane.
 * @param {HTMLElement} section @param {import("../state/lane-state.js").Lane} lane @param {import("../picture/window.js").LaneInfo} info
 * @param {{tick: number, worst: number, total: number}} cost @param {(id: number) => string} name
 */
export function fill(section, lane, info, cost, name) {
  for (const [key, index] of Object.entries(TOTALS)) setFigure(section, `[data-total="${key}"]`, lane.counts[index]);
  for (const [key, value] of Object.entries(cost)) setFigure(section, `[data-cost="${key}"]`, value);
  const body = section.querySelector("tbody");
  if (!body) return;
  const head = section.querySelector("thead th");
  if (head) setText(head, t(`head.${tableHead(info, lane.levels)}`));
  const places = sortedPlaces(lane).slice(0, ROWS_MAX);
  while (body.rows.length > places.length) body.deleteRow(-1);
  places.forEach((place, i) => {
    const row = body.rows[i] ?? body.appendChild(html("tr", {}, html("th", { scope: "row" }), html("td"), html("td")));
    setAttr(row, "data-level", place.level);
    setAttr(row, "data-slot", place.slot);
    setAttr(row, "data-count", place.count);
    setText(row.cells[0], placeCell(info, lane.levels, place.level, place.slot));
    setText(row.cells[1], place.count);
    fillTimers(row.cells[2], place, { name, followed: 0, rich: true });
  });
}

/** @param {HTMLElement} section @param {string} selector @param {number} value */
function setFigure(section, selector, value) {
  const box = section.querySelector(selector);
  if (box) setText(box, value);
}
