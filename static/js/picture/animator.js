// @ts-check
/** Moves the timers of a picture from where they were before a step to where they are drawn. */
import { TIMER_COLOURS } from "../core/colours.js";
import { KIND } from "../state/kinds.js";
import { fix } from "./geometry.js";
import { journeysOf } from "./journeys.js";
import { CASCADE_MS, COUNT_DOWN, MOVE_MS, Motion, travel } from "./motion.js";
import { middleOf, spotsOf } from "./spots.js";
import { svg } from "../core/dom.js";

/** Maximum number of timers of a lane that move one by one, and that have an arrow each. */
export const TRAILS_MAX = 120;

/** @typedef {import("./spots.js").Form} Form */
/** @typedef {import("./picture.js").Dot} Dot */
/** @typedef {import("./motion.js").Point} Point */
/** @typedef {{id: number, way: Point[], curved: boolean, appears: boolean}} Way of a timer in the picture */

export class Animator {
  motion = new Motion();
  /** @type {Way[]} of the step that is drawn */
  ways = [];
  /** @type {Way[]} of the step that was drawn before */
  #before = [];
  /** The timers that are moving on top of a canvas; they are not drawn on it. @type {Set<number>} */
  hidden = new Set();

  /** @param {Element} picture its svg */
  constructor(picture) {
    this.layer = svg("g", { class: "movers" });
    picture.querySelector(".flows")?.before(this.layer);
  }

  /** Computes the ways of a step. @param {import("../state/activity.js").Activity|null} did @param {import("../state/lane-state.js").Lane} lane @param {Form} form @param {Dot[]} dots @param {(id: number) => string} name */
  learn(did, lane, form, dots, name) {
    this.#before = this.ways;
    this.ways = did ? waysOf(journeysOf(did.rows, lane, form.shape, name), form, dots) : [];
  }

  /** Returns the arrows of the timers that cascaded; none if they are too many or not known one by one. @param {import("../state/activity.js").Activity|null} did @param {Dot[]} dots */
  trails(did, dots) {
    const moved = did?.kinds.get(KIND.cascade) ?? 0;
    const curved = this.ways.filter((way) => way.curved);
    if (moved > TRAILS_MAX || curved.length === 0) return [];
    const radius = new Map(dots.map(({ entry, spot }) => [entry.id, spot.r]));
    return curved.map(({ id, way }) => ({ from: way[way.length - 2], to: way[way.length - 1], r: radius.get(id) ?? 0 }));
  }

  /**
   * Starts the movement into the drawn state.
   * @param {import("./picture.js").Picture} picture @param {import("./picture.js").Scene} scene @param {import("../state/activity.js").Activity} did
   */
  start(picture, scene, did) {
    const { motion } = this;
    const cascades = (did.kinds.get(KIND.cascade) ?? 0) > 0;
    const ms = Math.min(scene.animate, cascades && !scene.back ? CASCADE_MS : MOVE_MS);
    if (scene.back) {
      this.#move(picture, backwards(this.#before, picture.dots), ms);
      picture.flows.undo(motion, ms);
    } else {
      this.#move(picture, this.ways, ms);
      picture.flows.animate(motion, ms);
      const { marks } = picture.removed;
      marks.forEach(({ element, way }, k) => motion.play(element, travel(way, false, k, marks.length, false), ms));
      this.#countDown(picture, did, ms);
    }
    motion.begin();
  }

  /** Moves timers along their ways, unless they are too many. @param {import("./picture.js").Picture} picture @param {Way[]} ways @param {number} ms */
  #move(picture, ways, ms) {
    if (ways.length > TRAILS_MAX) return;
    const drawn = new Map(picture.dots.map((dot) => [dot.entry.id, dot]));
    /** @type {Element[]} */
    const doubles = [];
    ways.forEach(({ id, way, curved, appears }, k) => {
      const dot = drawn.get(id);
      if (!dot) return;
      let element = picture.svgDots.groupOf(id);
      if (!element) doubles.push(element = double(dot));
      this.motion.play(element, travel(way, curved, k, ways.length, appears), ms);
    });
    if (doubles.length === 0) return;
    this.layer.replaceChildren(...doubles);
    this.hidden = new Set(ways.map(({ id }) => id));
    this.motion.then(() => {
      this.layer.replaceChildren();
      this.hidden = new Set();
      picture.paintDots();
    });
  }

  /** Shows that the timers in a visited slot wait one round less. @param {import("./picture.js").Picture} picture @param {import("../state/activity.js").Activity} did @param {number} ms */
  #countDown(picture, did, ms) {
    const visited = new Set(did.rows.filter((row) => row.kind === KIND.hand && row.before > 0).map((row) => `${row.fromLevel}/${row.fromSlot}`));
    const moved = new Set(this.ways.map(({ id }) => id));
    for (const { entry, level } of visited.size > 0 ? picture.dots : []) {
      const next = picture.svgDots.groupOf(entry.id)?.querySelector(".badge-text");
      if (!next || entry.marked || moved.has(entry.id) || !visited.has(`${level}/${entry.place?.slot}`)) continue;
      const old = /** @type {Element} */ (next.cloneNode());
      old.textContent = String(entry.rounds + 1);
      next.before(old);
      this.motion.play(next, COUNT_DOWN.next, ms);
      this.motion.play(old, COUNT_DOWN.old, ms);
      this.motion.then(() => old.remove());
    }
  }

  /** Shows the drawn state at once. */
  stop() { this.motion.stop(); }
}

/** Returns the ways of journeys in a picture. @param {import("./journeys.js").Journey[]} journeys @param {Form} form @param {Dot[]} dots @returns {Way[]} */
function waysOf(journeys, form, dots) {
  if (journeys.length === 0) return [];
  const ends = new Map(dots.map(({ entry, spot }) => [entry.id, spot]));
  /** @type {Map<string, number>} number of timers that begin in a slot */
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
    if (journey.kind === "place") way.unshift(outside(form));
    return way.length === 0 ? [] : [{ id: journey.id, way: [...way, { x: end.x, y: end.y }], curved: journey.kind === "cascade", appears: journey.kind === "place" }];
  });
}

/** Returns the position of timer index of count in a slot that has been emptied. @param {import("./journeys.js").Where} place @param {Form} form @param {number} index @param {number} count @returns {Point} */
function pointOf({ level, slot }, form, index, count) {
  if (form.shape === "heap" || form.shape === "list") return middleOf(form, level, slot);
  const { x, y } = spotsOf(form, { level, slot, count })(index);
  return { x, y };
}

/** Returns where timers come from: the middle, or the time above the picture. @param {Form} form @returns {Point} */
function outside({ shape }) { return shape === "ring" ? { x: 200, y: 200 } : { x: 60, y: 26 }; }

/** Returns the ways back to the state before a step. @param {Way[]} ways @param {Dot[]} dots of the state before it @returns {Way[]} */
function backwards(ways, dots) {
  const ends = new Map(dots.map(({ entry, spot }) => [entry.id, spot]));
  return ways.flatMap(({ id, way, curved }) => {
    const end = ends.get(id);
    return end ? [{ id, way: [...way.slice(1).reverse(), { x: end.x, y: end.y }], curved, appears: false }] : [];
  });
}

/** Returns a dot that moves above a canvas. @param {Dot} dot */
function double({ entry, spot }) {
  const group = svg("g", { class: `dot c${(entry.id - 1) % TIMER_COLOURS}`, transform: `translate(${fix(spot.x)} ${fix(spot.y)})` });
  group.append(svg("circle", { r: fix(Math.max(spot.r, 2)), "stroke-width": fix(Math.min(1.4, spot.r * 0.2)) }));
  return group;
}
