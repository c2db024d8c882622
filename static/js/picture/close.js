// @ts-check
/**
 * Draws the details of a magnified ring, for which there is no space otherwise: the borders of the visible
 * slots, their numbers, and how many timers they contain. The details replace the slot numbers of the ring,
 * and are redrawn when another part becomes visible.
 */
import { CENTRE } from "./dimensions.js";
import { ringRadii } from "./geometry.js";
import { handSlot, placeKey, ringCount } from "../state/lane-state.js";
import { setAttr, svg } from "../core/dom.js";

/** Minimum distance between adjacent slot numbers, in units without magnification. */
const NUMBER_APART = 76;
/** Minimum distance between adjacent borders, in units without magnification. */
const BORDER_APART = 4;
/** Minimum distance between slots for their numbers of timers to be shown, in units without magnification. */
const COUNT_APART = 30;
/** Font size of a number, in units without magnification. */
const NUMBER_HIGH = 23;
/** Distance from the edge of the ring to the middle of a slot number, in units without magnification. */
const EDGE = 18;
/** Maximum number of slots drawn per level. */
const SLOTS_MAX = 400;

/** @typedef {import("./zoom.js").Zoom} Zoom */
/** @typedef {{zoom: Zoom, levels: number, level: number, slots: number, turn: number, hand: number, lane: import("../state/lane-state.js").Lane}} Ring a magnified ring, and the lane that it belongs to */

export class Close {
  #drawn = "";

  /** @param {Element} box svg element of the picture */
  constructor(box) {
    this.lines = svg("path", { class: "lines" });
    this.words = svg("g", {});
    this.layer = svg("g", { class: "close" });
    this.layer.append(this.lines, this.words);
    box.querySelector(".dots")?.before(this.layer);
  }

  /**
   * Redraws the details of the visible part, or removes them if the picture is not magnified.
   * @param {import("../state/lane-state.js").Lane} lane @param {Zoom} zoom @param {number} start
   * @param {number[]|undefined} turns rotation of each level, in radians, if the dials turn
   */
  update(lane, zoom, start, turns) {
    if (!zoom.on) return this.#clear();
    const levels = ringCount(lane.levels);
    const hands = lane.levels.map((level) => (level[0] < 0 ? -1 : handSlot(level, lane.now, start)));
    const now = `${zoom.box}/${lane.levels.map(([, slots]) => slots)}/${hands}/${turns}/${lane.mode === "counts" ? lane.counts : ""}`;
    if (now === this.#drawn && lane.mode !== "counts") return;
    this.#drawn = now;
    let path = "";
    const words = [];
    for (let level = 0; level < levels; level++) {
      /** @type {Ring} */
      const ring = { zoom, levels, level, slots: lane.levels[level][1], turn: turns?.[level] ?? 0, hand: hands[level], lane };
      path += borders(ring);
      words.push(...numbers(ring));
    }
    setAttr(this.lines, "d", path);
    this.words.replaceChildren(...words);
  }

  #clear() {
    if (!this.#drawn) return;
    this.#drawn = "";
    setAttr(this.lines, "d", "");
    this.words.replaceChildren();
  }
}

/** Returns the visible slots as [first, count]. The first may be negative. @param {Ring} ring */
function seen({ zoom, slots, turn }) {
  if (zoom.holds(CENTRE, CENTRE)) return [0, slots];
  const [mx, my] = zoom.at(0.5, 0.5);
  const middle = Math.atan2(my - CENTRE, mx - CENTRE);
  const away = [[0, 0], [0, 1], [1, 0], [1, 1]].map(([left, top]) => {
    const [x, y] = zoom.at(left, top);
    const turned = Math.atan2(y - CENTRE, x - CENTRE) - middle;
    return turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
  });
  const each = (2 * Math.PI) / slots;
  const top = middle + Math.PI / 2 + turn;
  const first = Math.floor((top + Math.min(...away)) / each + 0.5);
  const last = Math.ceil((top + Math.max(...away)) / each - 0.5);
  return [first, Math.min(slots, last - first + 1)];
}

/**
 * Returns the distance between the centres of adjacent slots on a circle as displayed: in units, multiplied by the
 * magnification.
 * @param {Ring} ring @param {number} radius radius of the circle, in units
 */
function apart({ zoom, slots }, radius) {
  return ((2 * Math.PI * radius) / slots) * zoom.k;
}

/** Returns the borders of the visible slots as an SVG path. @param {Ring} ring */
function borders(ring) {
  const [inner, outer] = ringRadii(ring.level, ring.levels);
  const [first, count] = seen(ring);
  if (apart(ring, outer) < BORDER_APART || count > SLOTS_MAX || ring.slots < 2) return "";
  let path = "";
  for (let k = first - 1; k < first + count; k++) {
    const [c, s] = direction(ring, k + 0.5);
    path += `M${fine(CENTRE + inner * c)} ${fine(CENTRE + inner * s)}L${fine(CENTRE + outer * c)} ${fine(CENTRE + outer * s)}`;
  }
  return path;
}

/**
 * Returns the cosine and the sine of the angle of a slot's centre.
 * @param {Ring} ring @param {number} slot
 */
function direction({ slots, turn }, slot) {
  const angle = (2 * Math.PI * slot) / slots - Math.PI / 2 - turn;
  return [Math.cos(angle), Math.sin(angle)];
}

/** Formats a coordinate. In a magnified picture it needs more than one decimal. @param {number} v */
function fine(v) {
  return String(Math.round(v * 1e4) / 1e4);
}

/**
 * Returns the numbers of the visible slots and, if timers are not drawn one by one, the numbers of timers in
 * them.
 * @param {Ring} ring
 */
function numbers(ring) {
  const { zoom, level, levels, slots, hand, lane } = ring;
  const [inner, outer] = ringRadii(level, levels);
  const [mx, my] = zoom.at(0.5, 0.5);
  const far = Math.hypot(mx - CENTRE, my - CENTRE) + zoom.side * 0.45;
  const radius = Math.min(outer, far) - EDGE / zoom.k;
  if (radius < inner) return [];
  const [first, count] = seen(ring);
  const room = apart(ring, radius);
  const every = Math.max(1, Math.ceil(NUMBER_APART / room));
  if (count / every > SLOTS_MAX) return [];
  /** @type {Element[]} */
  const made = [];
  for (let k = Math.ceil(first / every) * every; k < first + count; k += every) {
    const slot = ((k % slots) + slots) % slots;
    const [c, s] = direction(ring, k);
    const put = (/** @type {string} */ kind, /** @type {number} */ r, /** @type {string} */ text) =>
      made.push(svg("text", { class: kind, x: fine(CENTRE + r * c), y: fine(CENTRE + r * s), "font-size": fine(NUMBER_HIGH / zoom.k) }, text));
    put(slot === hand ? "under" : "", radius, String(slot));
    const held = lane.mode === "counts" ? lane.places.get(placeKey(level, slot))?.count ?? 0 : 0;
    if (held > 0 && room >= COUNT_APART) put("held", radius - (2 * EDGE) / zoom.k, `×${held}`);
  }
  return made;
}
