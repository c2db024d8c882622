// @ts-check
/** Animates the timers of a picture: moves them from their positions before a step to those after it. */
import { TIMER_COLOURS } from "../core/colours.js";
import { KIND } from "../state/kinds.js";
import { CENTRE, LABEL_RADIUS } from "./dimensions.js";
import { fix, holeRadius, labelSize } from "./geometry.js";
import { journeysOf } from "./journeys.js";
import { CASCADE_MS, COUNT_DOWN, MOVE_MS, Motion, reversed, travel } from "./motion.js";
import { Parts } from "./parts.js";
import { middleOf, spotsOf } from "./spots.js";
import { ringCount } from "../state/lane-state.js";
import { svg } from "../core/dom.js";
import { shortName } from "../state/words.js";

/**
 * If a step moves at most this many timers of a lane, each is moved individually. If at most this many timers
 * cascade, each has an arrow of its own.
 */
const TRAILS_MAX = 120;

/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("./picture.js").Dot} Dot */
/** @typedef {import("./motion.js").Point} Point */
/**
 * @typedef {object} Way path of a timer in the picture
 * @property {number} id id of the timer @property {Point[]} way points of the path: its start, its end, and the
 *   places in between
 * @property {boolean} curved whether the path is curved, as for a cascade
 * @property {boolean} appears whether the timer was in no place before
 * @property {number} seq number of the last event that moved the timer
 * @property {number} [was] id of the timer before a reset @property {number} r radius of the timer's dot
 */
/**
 * @typedef {object} Step
 * @property {Way[]} ways paths of the timers that the step moves
 * @property {import("./removed-timers.js").Mark[]} marks marks of the timers that left
 * @property {import("../state/activity.js").Row[]} rows events of the step
 */

export class Animator {
  motion = new Motion();
  /** @type {Way[]} paths of the drawn step */
  ways = [];
  /** The step before the drawn one. @type {Step} */
  #before = { ways: [], marks: [], rows: [] };
  /** The events of the drawn step. @type {import("../state/activity.js").Row[]} */
  #rows = [];
  /** Ids of the timers that are moving above the canvas and are not drawn on it. @type {Set<number>} */
  hidden = new Set();
  /**
   * The parts in which the canvas is drawn during a movement of so many timers that they are not moved
   * individually; null at other times.
   * @type {Parts|null}
   */
  parts = null;
  #ms = 0;

  /** @param {Element} picture svg element of the picture */
  constructor(picture) {
    this.layer = svg("g", { class: "movers" });
    picture.querySelector(".flows")?.before(this.layer);
  }

  /**
   * Computes the paths of the timers that a step moves. It must be called before the marks of the step are
   * drawn.
   * @param {import("./picture.js").Picture} picture @param {import("../state/lane-state.js").Lane} lane
   * @param {import("./picture.js").Scene} scene
   */
  prepare({ form, dots, removed }, lane, { did, name }) {
    this.#before = { ways: this.ways, marks: removed.marks, rows: this.#rows };
    this.#rows = did?.rows ?? [];
    this.ways = did && form ? waysOf(journeysOf(did.rows, lane, form.shape, name), form, dots) : [];
  }

  /**
   * Returns an arrow for each timer that cascaded. Returns none if there are too many timers, or if not every
   * timer is known.
   * @param {import("../state/activity.js").Activity|null} did @param {Dot[]} dots
   */
  trails(did, dots) {
    const moved = did?.flows.reduce((sum, { count }) => sum + count, 0) ?? 0;
    const curved = this.ways.filter((way) => way.curved);
    if (moved > TRAILS_MAX || curved.length === 0) return [];
    const radius = new Map(dots.map(({ entry, spot }) => [entry.id, spot.r]));
    return curved.map(({ id, way }) => ({ from: way[way.length - 2], to: way[way.length - 1], r: radius.get(id) ?? 0 }));
  }

  /**
   * Prepares the movement to the drawn state. It begins when the canvas has been drawn.
   * @param {import("./picture.js").Picture} picture @param {import("./picture.js").Scene} scene @param {import("../state/activity.js").Activity} did
   */
  start(picture, scene, did) {
    const { motion } = this;
    const { since, back } = scene;
    const counted = did.flows.reduce((sum, { count }) => sum + count, 0);
    const cascades = did.rows.filter((row) => row.kind === KIND.cascade && row.seq > since).length;
    const whole = did.rows.length === 0 || cascades > 0 && cascades >= counted; // if only some of the cascades are known, no flow is shown
    const flows = back ? picture.flows.before : whole ? did.flows : [];
    const ms = this.#ms = Math.min(scene.animate, flows.length > 0 || cascades > 0 ? CASCADE_MS : MOVE_MS);
    const ways = back ? reversedWays(this.#before, picture.dots) : this.ways.filter(({ seq }) => seq > since);
    const rows = back ? this.#before.rows : did.rows.filter(({ seq }) => seq > since);
    const moved = new Set((back ? ways : this.ways).map(({ id }) => id));
    if (ways.length <= TRAILS_MAX) this.#move(picture, ways, ms);
    if (ways.length > TRAILS_MAX || picture.dots.length === 0 && flows.length > 0) this.#part(picture, ways, flows);
    this.#countDown(picture, rows, moved, back ? -1 : 1, ms);
    if (back) {
      picture.flows.undo(motion, ms);
      this.#removeAdded(picture, scene.name, ms);
      return;
    }
    if (whole || cascades > 0) picture.flows.animate(motion, ms, whole);
    const news = new Set(rows.map(({ id }) => id));
    const marks = picture.removed.marks.filter(({ id }) => news.has(id));
    marks.forEach(({ element, way }, k) => motion.play(element, travel(way, false, k, marks.length, false), ms));
  }

  /** Begins the movement that was prepared. */
  begin() {
    this.parts?.animate(this.motion, this.#ms);
    this.motion.begin();
  }

  /**
   * Makes the picture draw its canvas in parts, which appear or vanish, until the movement ends; see parts.js.
   * @param {import("./picture.js").Picture} picture @param {Way[]} ways
   * @param {import("../state/activity.js").Flow[]} flows
   */
  #part(picture, ways, flows) {
    const parts = this.parts = new Parts(flows, new Map(ways.map(({ id, way, appears }) => [id, appears ? null : way[0]])));
    this.motion.then(() => {
      parts.remove();
      this.parts = null;
      picture.paint();
    });
  }

  /** Moves timers along their paths. @param {import("./picture.js").Picture} picture @param {Way[]} ways @param {number} ms */
  #move(picture, ways, ms) {
    const drawn = new Map(picture.dots.map((dot) => [dot.entry.id, dot]));
    /** @type {Element[]} */
    const movingDots = [];
    ways.forEach(({ id, way, curved, appears }, k) => {
      const dot = drawn.get(id);
      if (!dot) return;
      let element = picture.svgDots.groupOf(id);
      if (!element) movingDots.push(element = movingDot(dot));
      this.motion.play(element, travel(way, curved, k, ways.length, appears), ms);
    });
    if (movingDots.length === 0) return;
    this.layer.append(...movingDots);
    this.hidden = new Set(ways.map(({ id }) => id));
    this.motion.then(() => {
      this.layer.replaceChildren();
      this.hidden = new Set();
      picture.paint();
    });
  }

  /**
   * Animates the removal of what an undone step had added to the picture: the timers that it placed, and the
   * marks of timers that are not drawn.
   * @param {import("./picture.js").Picture} picture @param {(id: number) => string} name @param {number} ms
   */
  #removeAdded(picture, name, ms) {
    const drawn = new Set(picture.dots.map(({ entry }) => entry.id));
    const { ways, marks } = this.#before;
    const placed = ways.filter(({ id, appears }) => appears && !drawn.has(id)).map((way) => ({ element: departedDot(way, name(way.id)), way: way.way, appears: true }));
    const left = marks.filter(({ id }) => !drawn.has(id)).map(({ element, way }) => ({ element: /** @type {Element} */ (element.cloneNode(true)), way, appears: false }));
    const all = [...placed, ...left];
    if (all.length === 0 || all.length > TRAILS_MAX) return;
    this.layer.append(...all.map(({ element }) => element));
    all.forEach(({ element, way, appears }, k) => this.motion.play(element, reversed(travel(way, false, all.length - 1 - k, all.length, appears)), ms));
    this.motion.then(() => this.layer.replaceChildren());
  }

  /**
   * Animates the numbers of rounds that change by one: those of the timers in slots that the step visited.
   * @param {import("./picture.js").Picture} picture @param {import("../state/activity.js").Row[]} rows events of the step
   * @param {Set<number>} moved ids of the timers that move; their numbers are not animated
   * @param {number} fewer decrease of the rounds: 1, or −1 if the step is undone @param {number} ms
   */
  #countDown(picture, rows, moved, fewer, ms) {
    const visited = new Set(rows.filter((row) => row.kind === KIND.hand && row.before > 0).map((row) => `${row.fromLevel}/${row.fromSlot}`));
    for (const { entry, level } of visited.size > 0 ? picture.dots : []) {
      const next = picture.svgDots.groupOf(entry.id)?.querySelector(".badge-text");
      if (!next || entry.marked || moved.has(entry.id) || !visited.has(`${level}/${entry.place?.slot}`)) continue;
      const old = /** @type {Element} */ (next.cloneNode());
      old.textContent = String(entry.rounds + fewer);
      next.before(old);
      this.motion.play(next, COUNT_DOWN.next, ms);
      this.motion.play(old, COUNT_DOWN.old, ms);
      this.motion.then(() => old.remove());
    }
  }

  /** Ends all animations, so that the drawn state is shown. */
  stop() { this.motion.stop(); }
}

/** Converts journeys to paths in a picture. @param {import("./journeys.js").Journey[]} journeys @param {Form} form @param {Dot[]} dots @returns {Way[]} */
function waysOf(journeys, form, dots) {
  if (journeys.length === 0) return [];
  const ends = new Map(dots.map(({ entry, spot }) => [entry.id, spot]));
  /** @type {Map<string, number>} number of journeys that start in a slot, by "level/slot" */
  const from = new Map();
  const first = (/** @type {import("./journeys.js").Journey} */ { places }) => (places[0] ? `${places[0].level}/${places[0].slot}` : "");
  for (const journey of journeys) from.set(first(journey), (from.get(first(journey)) ?? 0) + 1);
  /** @type {Map<string, number>} */
  const used = new Map();
  return journeys.flatMap((journey) => {
    const end = ends.get(journey.id);
    if (!end) return [];
    const key = first(journey);
    const index = used.get(key) ?? 0;
    used.set(key, index + 1);
    const way = journey.places.filter((place) => form.levels.some(([level]) => level === place.level)).map((place, k) => pointOf(place, form, k === 0 ? index : 0, k === 0 ? from.get(key) ?? 1 : 1));
    if (journey.kind === "place") way.unshift(entryPoint(form, way[0] ?? end));
    return way.length === 0 ? [] : [{ id: journey.id, seq: journey.seq, was: journey.was, r: end.r, way: [...way, { x: end.x, y: end.y }], curved: journey.kind === "cascade", appears: journey.kind === "place" }];
  });
}

/**
 * Returns the point at which the path of a timer leaves a place. `count` timers leave the place, and `index` is
 * the timer's index among them.
 * @param {import("./journeys.js").Where} place @param {Form} form @param {number} index @param {number} count
 * @returns {Point}
 */
function pointOf({ level, slot }, form, index, count) {
  if (form.shape === "heap" || form.shape === "list") return middleOf(form, level, slot);
  const { x, y } = spotsOf(form, { level, slot, count })(index);
  return { x, y };
}

/**
 * Returns the point at which a new timer enters the picture. With rings it is on the edge of the disc in the
 * middle, towards the timer's slot. In other pictures it is where the time is shown, above the timers.
 * @param {Form} form @param {Point} to @returns {Point}
 */
function entryPoint({ shape, levels }, to) {
  if (shape !== "ring") return { x: 60, y: 26 };
  const away = Math.hypot(to.x - CENTRE, to.y - CENTRE) || 1;
  const share = holeRadius(ringCount(levels)) / away;
  return { x: CENTRE + (to.x - CENTRE) * share, y: CENTRE + (to.y - CENTRE) * share };
}

/**
 * Returns the paths back to the state before a step. The paths of timers that fired begin at their marks.
 * @param {Step} step @param {Dot[]} dots dots of the state before the step @returns {Way[]}
 */
function reversedWays({ ways, marks }, dots) {
  const ends = new Map(dots.map(({ entry, spot }) => [entry.id, spot]));
  const moved = ways.flatMap(({ id, was = id, seq, way, curved }) => {
    const end = ends.get(was);
    return end ? [{ id: was, seq, r: end.r, way: [...way.slice(1).reverse(), { x: end.x, y: end.y }], curved, appears: false }] : [];
  });
  const known = new Set(moved.map(({ id }) => id));
  return [...moved, ...marks.flatMap(({ id, way }) => {
    const end = ends.get(id);
    return end && !known.has(id) ? [{ id, seq: 0, r: end.r, way: [way[way.length - 1], { x: end.x, y: end.y }], curved: false, appears: false }] : [];
  })];
}

/** Creates the element for a dot that moves above a canvas. @param {Dot} dot */
function movingDot({ entry, spot }) {
  const circle = svg("circle", { r: fix(Math.max(spot.r, 2)), "stroke-width": fix(Math.min(1.4, spot.r * 0.2)) });
  return svg("g", { class: `dot c${(entry.id - 1) % TIMER_COLOURS}`, transform: `translate(${fix(spot.x)} ${fix(spot.y)})` }, circle);
}

/** Creates the element for a timer that is no longer in the picture. @param {Way} way @param {string} name */
function departedDot({ id, r }, name) {
  const group = svg("g", { class: `dot c${(id - 1) % TIMER_COLOURS}` });
  const label = shortName(name);
  group.append(svg("circle", { r: fix(r), "stroke-width": fix(Math.min(1.4, r * 0.2)) }));
  if (r >= LABEL_RADIUS) group.append(svg("text", { "font-size": fix(labelSize(r, label)) }, label));
  return group;
}
