// @ts-check
/**
 * Draws the parts of a picture other than timers: the rings, the slot numbers, the hands, the edges of a
 * tree, and the texts in the middle.
 */
import { LONG_MIN, SPAN_MOST } from "./dimensions.js";
import { bordersPath, clockSize, flushSizes, handPath, holeRadius, leadPath, pointerPath, ringRadii, fix, slotLabels, spanLines, turnOf, waitingClass, waitingSize, wallSize } from "./geometry.js";
import { edgeCount } from "./form.js";
import { edgesPath } from "./spots.js";
import { COUNT } from "../core/protocol.js";
import { Rows, formOf } from "./rows.js";
import { SliceFrame } from "./slices.js";
import { CORNER, handSlot, ringCount } from "../state/lane-state.js";
import { setAttr, setText, svg } from "../core/dom.js";
import { sideOf, spanWords } from "../state/words.js";
import { wallClock } from "../core/times.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */

export class Frame {
  /** The time, the number of pending timers and the number of rings that are displayed, separated by spaces. */
  #shown = "";
  #levels = "";
  #size = -1;
  /** @type {number[]} slots under the hands, by level */
  #hands = [];
  /** The slots under the hands before the lane's clock moved last, and that clock. */
  #left = { now: -1, slots: /** @type {number[]} */ ([]) };
  #dial = false;
  #rings = 0;
  #zoom = 1;

  /** @param {Element} svgElement @param {import("../state/store.js").LaneInfo} info */
  constructor(svgElement, info) {
    this.info = info;
    this.shape = formOf(info);
    this.frame = /** @type {Element} */ (svgElement.querySelector(".frame"));
    this.hands = svgElement.querySelector(".hands");
    this.pointers = svgElement.querySelector(".pointers");
    this.spans = svgElement.querySelector(".spans");
    this.numbers = svgElement.querySelector(".numbers");
    this.clock = /** @type {Element} */ (svgElement.querySelector(".clock"));
    this.wall = svgElement.querySelector(".wall");
    this.disc = svgElement.querySelector(":scope > .hole");
    this.waiting = /** @type {Element} */ (svgElement.querySelector(".waiting"));
    this.rows = this.shape === "rows" && this.hands && this.numbers ? new Rows(this.frame, this.hands, this.numbers, info) : null;
    this.slices = this.shape === "slices" && this.hands && this.numbers ? new SliceFrame(this.frame, this.hands, this.numbers, info) : null;
  }

  /**
   * Redraws the parts that have changed.
   * @param {Lane} lane @param {number} size @param {number} start
   * @param {boolean} dial whether the dial turns under a fixed hand
   * @param {number} rows number of rows, for a lane in rows @param {number} zoom magnification
   */
  update(lane, size, start, dial, rows, zoom) {
    if (this.rows) {
      this.rows.update(lane, start, rows);
    } else if (this.slices) {
      this.slices.update(lane, start);
    } else if (this.shape === "ring") {
      if (dial !== this.#dial) this.#levels = "";
      this.#dial = dial;
      if (zoom !== this.#zoom) this.#hands = [];
      this.#zoom = zoom;
      this.#layRings(lane);
      this.#moveHands(lane, start);
    } else {
      this.#plain(lane, size);
    }
  }

  /** Draws the rings if the levels have changed. @param {Lane} lane */
  #layRings(lane) {
    const key = JSON.stringify(lane.levels);
    if (key === this.#levels) return;
    const had = this.#levels ? this.#rings : Infinity; // so that only levels added by this step are marked as new
    this.#levels = key;
    this.#hands = [];
    const levels = ringCount(lane.levels);
    this.#rings = levels;
    this.frame.replaceChildren();
    this.numbers?.replaceChildren();
    for (const layer of [this.hands, this.pointers, this.spans]) layer?.replaceChildren();
    for (const geometry of lane.levels) {
      const [level, slots] = geometry;
      if (level >= 0) this.#ring(level, levels, slots, level >= had ? " new" : "");
      if (level >= 0) this.#span(geometry, levels, lane.levels.some(([number]) => number < 0));
      else this.numbers?.append(svg("text", { class: "note", x: 4, y: 392 }, t(`place.${sideOf(this.info)}`)), svg("text", { class: "note held", x: 4, y: 368 }));
    }
  }

  /**
   * Draws a level's ring and its borders, and creates the elements of its hand and its numbers.
   * @param {number} level @param {number} levels @param {number} slots
   * @param {string} how class to add: " new" if the step added the level, or ""
   */
  #ring(level, levels, slots, how) {
    const [inner, outer] = ringRadii(level, levels);
    this.frame.append(
      svg("circle", { class: `ring${how}`, cx: 200, cy: 200, r: fix(outer) }),
      svg("circle", { class: "ring hole", cx: 200, cy: 200, r: fix(inner) }),
      svg("path", { class: `border${how}`, d: bordersPath(level, levels, slots) }),
    );
    this.hands?.append(svg("path", { class: "hand", "data-level": level }));
    this.pointers?.append(svg("path", { class: `pointer p${Math.min(level, 2)}`, "data-level": level }));
    this.numbers?.append(svg("g", { "data-level": level }));
  }

  /**
   * Writes the lengths of a slot and of a turn of a level beside the rings.
   * @param {number[]} geometry @param {number} levels @param {boolean} beside whether the lane has a side list
   */
  #span(geometry, levels, beside) {
    const [level, slots] = geometry;
    const lines = spanLines(level, levels, spanWords(geometry, this.info.tick), beside);
    if (lines.length > 0) this.spans?.append(svg("path", { d: leadPath(level, levels, slots) }), ...lines.map(({ x, y, side, text, long }) => svg("text", { x: fix(x), y: fix(y), "text-anchor": side, ...(long ? { textLength: SPAN_MOST, lengthAdjust: "spacingAndGlyphs" } : {}) }, text)));
    this.#number(level, levels, slots, 0);
  }

  /** Draws the slot numbers of a level. @param {number} level @param {number} levels @param {number} slots @param {number} turn */
  #number(level, levels, slots, turn) {
    const kind = level > 0 ? "inner" : slots > LONG_MIN ? "long" : "";
    const texts = slotLabels(level, levels, slots, turn).map(({ x, y, slot, side }) => {
      const where = { x: fix(x), y: fix(y), "text-anchor": side };
      return svg("text", { ...where, "data-level": level, "data-slot": slot, class: kind }, String(slot));
    });
    this.numbers?.querySelector(`g[data-level="${level}"]`)?.replaceChildren(...texts);
  }

  /**
   * Turns the hands on their way from the slots before to those at the lane's clock.
   * @param {Lane} lane @param {number} u how far they have come, from 0 to 1
   */
  sweep(lane, u) {
    for (const [level, slots] of this.#dial || this.shape !== "ring" ? [] : lane.levels) {
      const moved = level < 0 ? 0 : (this.#hands[level] ?? 0) - (this.#left.slots[level] ?? this.#hands[level] ?? 0);
      const turn = Math.abs(moved) > slots / 2 ? moved - Math.sign(moved) * slots : moved; // the shorter way
      const pointer = this.pointers?.children[level];
      if (u < 1 && Math.abs(turn) === 1) pointer?.setAttribute("transform", `rotate(${fix((-turn * (1 - u) * 360) / slots)} 200 200)`);
      else pointer?.removeAttribute("transform");
    }
  }

  /** Moves the hands to the slots of the lane's clock. @param {Lane} lane @param {number} start */
  #moveHands(lane, start) {
    if (lane.now !== this.#left.now) this.#left = { now: lane.now, slots: [...this.#hands] };
    const levels = ringCount(lane.levels);
    for (const geometry of lane.levels) {
      const level = geometry[0];
      const slot = level < 0 ? -1 : handSlot(geometry, lane.now, start);
      if (level < 0 || this.#hands[level] === slot) continue;
      this.#hands[level] = slot;
      if (this.#dial) this.#turn(level, levels, slot, geometry[1]);
      this.hands?.children[level]?.setAttribute("d", handPath(level, levels, this.#dial ? 0 : slot, geometry[1], this.#zoom));
      this.pointers?.children[level]?.setAttribute("d", pointerPath(level, levels, this.#dial ? 0 : slot, geometry[1]));
      for (const text of this.numbers?.querySelectorAll(`text[data-level="${level}"]`) ?? []) {
        text.classList.toggle("under", text.getAttribute("data-slot") === String(slot));
      }
    }
  }

  /**
   * Rotates the ring of a level so that the slot under the hand is at the top.
   * @param {number} level @param {number} levels @param {number} slot @param {number} slots
   */
  #turn(level, levels, slot, slots) {
    const turn = turnOf(slot, slots);
    const border = this.frame.querySelectorAll(".border")[level];
    if (border) setAttr(border, "transform", `rotate(${fix((-turn * 180) / Math.PI)} 200 200)`);
    this.#number(level, levels, slots, turn);
  }

  /** Draws the edges between the timers of a list or a heap or, if the timers are not drawn, bars. @param {Lane} lane @param {number} size */
  #plain(lane, size) {
    const key = lane.mode === "counts" ? -size - 2 : size;
    if (key === this.#size) return;
    this.#size = key;
    const edges = svg("path", { class: "edge", d: lane.mode === "counts" ? "" : edgesPath(this.info.shape, edgeCount(this.info.shape, size, this.info.arity), this.info.arity) });
    this.frame.replaceChildren(edges, ...(lane.mode === "counts" ? blocks(this.info, size) : []));
  }

  /**
   * Shows the lane's time and the number of pending timers. The font size of each depends on the other.
   * @param {Lane} lane
   */
  time(lane) {
    const clock = `t = ${lane.now}`;
    const pending = lane.counts[COUNT.live];
    const held = this.numbers?.querySelector(".held");
    if (held) setText(held, lane.mode === "counts" ? lane.places.get(CORNER)?.count ?? "" : ""); // too many to draw
    const shown = `${clock} ${pending} ${ringCount(lane.levels)}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    setText(this.clock, clock);
    const waiting = t("waiting", { n: pending });
    const wall = this.shape === "slices" ? "" : wallClock(lane.now, this.info.start, this.info.tick);
    setText(this.waiting, waiting);
    if (this.wall) setText(this.wall, wall);
    if (this.shape !== "ring") {
      const [large, small] = flushSizes(clock, waiting);
      setAttr(this.clock, "font-size", large);
      setAttr(this.waiting, "font-size", small);
      return;
    }
    const hole = holeRadius(ringCount(lane.levels));
    setAttr(this.clock, "font-size", clockSize(hole, clock));
    if (this.disc) setAttr(this.disc, "r", fix(hole));
    setAttr(this.clock, "y", fix(200 - hole * 0.24));
    setAttr(this.waiting, "y", fix(200 + hole * 0.52));
    setAttr(this.waiting, "font-size", waitingSize(hole, waiting));
    setAttr(this.waiting, "class", waitingClass(hole, waiting));
    if (!this.wall) return;
    setAttr(this.wall, "y", fix(200 + hole * 0.17));
    setAttr(this.wall, "font-size", wallSize(hole, wall));
  }
}

/**
 * Returns the bars that represent a list or a heap whose timers are too many to be drawn. A heap has a bar for
 * each row, whose width shows how full the row is. A list has one bar, whose height grows with the number of
 * timers. This function must agree with blocks in templates/heat.go.
 * @param {{shape: string, arity: number}} info @param {number} size
 */
function blocks(info, size) {
  if (info.shape === "list") return [svg("rect", { class: "block", x: 24, y: 64, width: 352, height: fix(Math.min(300, 24 * Math.log2(size + 1))) })];
  const bars = [];
  for (let first = 0, row = 1, depth = 0; first < size; first += row, row *= info.arity, depth++) {
    const full = Math.min(1, (size - first) / row);
    bars.push(svg("rect", { class: "block", x: 16, y: 64 + 16 * depth, width: fix(368 * full), height: 12 }));
  }
  return bars;
}
