// @ts-check
/**
 * Draws timers as SVG dots, for lanes with few timers. The colour and the label identify a timer, and a badge
 * shows its rounds. Dots are drawn at their positions after the step; motion.js animates the movement there.
 */
import { TIMER_COLOURS } from "../core/colours.js";
import { BADGE_RADIUS, LABEL_RADIUS } from "./dimensions.js";
import { fix, labelSize } from "./geometry.js";
import { setAttr, svg } from "../core/dom.js";
import { shortName, timerTitle } from "../state/words.js";
import { t } from "../core/texts.js";

/** @typedef {import("./picture.js").Dot} Dot */
/** @typedef {{group: Element, look: string}} Shown element of a dot, and a string that changes when its appearance changes */

export class SvgDots {
  /** @type {Map<number, Shown>} */
  #shown = new Map();

  /** @param {Element} layer @param {boolean} dues whether dots show their due ticks */
  constructor(layer, dues) {
    this.layer = layer;
    this.dues = dues;
    /** Whether the layer still contains the dots that the server rendered. */
    this.served = true;
    this.zoom = 1;
  }

  clear() {
    if (this.#shown.size === 0 && !this.served) return;
    this.served = false;
    this.#shown.clear();
    this.layer.replaceChildren();
  }

  /** Returns the element of a timer, or undefined if it is not drawn. @param {number} id */
  groupOf(id) { return this.#shown.get(id)?.group; }

  /** Creates, moves and removes dots. @param {Dot[]} dots @param {number} followed @param {(id: number) => string} name @param {number} zoom magnification */
  update(dots, followed, name, zoom) {
    this.zoom = zoom;
    if (this.served) this.clear();
    const here = new Set(dots.map((d) => d.entry.id));
    for (const [id, shown] of this.#shown) {
      if (!here.has(id)) this.#remove(id, shown);
    }
    for (const dot of dots) this.#place(dot, dot.entry.id === followed, name(dot.entry.id));
  }

  /** Moves a dot to its position, and creates it if it is new. @param {Dot} dot @param {boolean} followed @param {string} name */
  #place({ entry, spot }, followed, name) {
    let shown = this.#shown.get(entry.id);
    const look = `${this.zoom} ${fix(spot.r, this.zoom)} ${entry.rounds} ${entry.marked} ${entry.stale ? entry.key : ""} ${followed} ${this.dues && spot.r > 20 ? entry.due : ""}`;
    if (!shown) {
      shown = { group: svg("g"), look: "" };
      this.#shown.set(entry.id, shown);
      this.layer.insertBefore(shown.group, this.#after(entry.id));
    }
    if (shown.look !== look) this.#draw(shown.group, entry, spot.r, followed, name);
    setAttr(shown.group, "transform", `translate(${fix(spot.x, this.zoom)} ${fix(spot.y, this.zoom)})`);
    shown.look = look;
  }

  /**
   * Returns the first element of a timer with a larger id, or null if there is none. The elements are in the
   * order of ids, since the order is visible where dots overlap.
   * @param {number} id
   */
  #after(id) {
    let [next, least] = [/** @type {Element|null} */ (null), Infinity];
    for (const [other, { group }] of this.#shown) if (other > id && other < least && group.parentNode) [next, least] = [group, other];
    return next;
  }

  /** Draws a dot at the origin of its group. @param {Element} group @param {import("../state/lane-state.js").Entry} entry @param {number} r @param {boolean} followed @param {string} name */
  #draw(group, entry, r, followed, name) {
    group.setAttribute("class", `dot c${(entry.id - 1) % TIMER_COLOURS}${entry.marked ? " marked" : ""}${followed ? " followed" : ""}`);
    const { zoom } = this;
    group.setAttribute("data-id", String(entry.id));
    const parts = [svg("title", {}, timerTitle(name, entry)), svg("circle", { r: fix(r, zoom), "stroke-width": fix(Math.min(1.4, r * 0.2), zoom) })];
    if (followed) parts.push(svg("circle", { class: "halo", r: fix(r + 4 / zoom, zoom) }));
    const label = shortName(name);
    if (r * zoom >= LABEL_RADIUS) parts.push(svg("text", { "font-size": fix(labelSize(r, label), zoom) }, label));
    const number = entry.stale ? entry.key : entry.rounds;
    if (r * zoom >= BADGE_RADIUS && (entry.stale || number >= 0)) parts.push(...badge(r, number, zoom));
    if (this.dues && r > 20) parts.push(svg("text", { class: "due", y: fix(r + 13) }, t("dot.due", { due: entry.due })));
    group.replaceChildren(...parts);
  }

  /** Removes a dot. @param {number} id @param {Shown} shown */
  #remove(id, shown) {
    this.#shown.delete(id);
    shown.group.remove();
  }
}

/** Returns the badge with the remaining rounds or the stale key, at the upper right of the dot. @param {number} r @param {number} number @param {number} zoom */
function badge(r, number, zoom) {
  const at = { x: fix(r * 0.8, zoom), y: fix(-r * 0.8, zoom) };
  return [
    svg("circle", { class: "badge-disc", cx: at.x, cy: at.y, r: fix(r * 0.55, zoom) }),
    svg("text", { class: "badge-text", ...at, "font-size": fix(r * 0.8, zoom) }, String(number)),
  ];
}
