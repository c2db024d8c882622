// @ts-check
/** A lane's card: picture, figures, table. Cards are the server's; a lane the server did not draw gets a copy. */
import { Picture } from "./picture.js";
import { Table } from "./table.js";
import { COST, COUNT } from "./protocol.js";
import { setAttr, setText, svg } from "./dom.js";
import { geometryWords } from "./words.js";
import { t } from "./texts.js";

/** @typedef {import("./store.js").LaneInfo} LaneInfo */
/** @typedef {import("./lane-state.js").Lane} Lane */

/** Figures of the totals, and the count each shows. */
const TOTALS = /** @type {const} */ ({ live: COUNT.live, fired: COUNT.expired, cancelled: COUNT.cancelled, rejected: COUNT.rejected, early: COUNT.early, late: COUNT.late });

export class LaneCard {
  #levels = 0;

  /** @param {Element} section @param {LaneInfo} info @param {string} tick @param {() => void} redraw */
  constructor(section, info, tick, redraw) {
    this.section = section;
    this.info = info;
    this.tick = tick;
    this.picture = new Picture(/** @type {Element} */ (section.querySelector(".picture")), info, redraw);
    this.table = new Table(/** @type {Element} */ (section.querySelector(".places")), info);
    this.totals = Object.entries(TOTALS).map(([name, place]) => ({ place, box: /** @type {Element} */ (section.querySelector(`[data-total="${name}"]`)) }));
    this.costs = ["tick", "worst", "total"].map((name) => ({ place: COST[/** @type {"tick"|"worst"|"total"} */ (name)], box: /** @type {Element} */ (section.querySelector(`[data-cost="${name}"]`)) }));
  }

  /** Shows totals, costs and geometry. @param {Lane} lane */
  figures(lane) {
    for (const { place, box } of this.totals) setText(box, lane.counts[place]);
    for (const { place, box } of this.costs) setText(box, lane.cost[place]);
    setAttr(this.costs[1].box, "title", `t = ${lane.cost[COST.worstAt]}`);
    if (this.#levels === lane.levels.length) return;
    this.#levels = lane.levels.length;
    setText(/** @type {Element} */ (this.section.querySelector("[data-geometry]")), geometryWords(this.info, lane.levels, this.tick));
  }
}

/**
 * The section of a lane, made from that of another. Its picture and table are
 * emptied; the card fills them.
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
  badge.className = `badge ${info.exact ? "exact" : "rough"}`;
  badge.title = t(info.exact ? "exact.title" : "approximate.title");
  setText(badge, t(info.exact ? "exact" : "approximate"));
  section.querySelector(".places")?.setAttribute("aria-label", t("table.caption", { title, id: info.id }));
  section.querySelector("tbody")?.replaceChildren();
  blankPicture(/** @type {Element} */ (section.querySelector(".picture svg")), info, title);
  return section;
}

/** The layers of a picture, empty. @param {Element} box @param {LaneInfo} info @param {string} title */
function blankPicture(box, info, title) {
  box.setAttribute("aria-label", t(`picture.${info.shape}`, { title }));
  const plain = info.shape !== "ring";
  box.replaceChildren(
    svg("g", { class: "frame" }), svg("g", { class: "hands" }), svg("g", { class: "numbers" }),
    plain ? svg("text", { class: "clock flush", x: 12, y: 26, "font-size": 38 }) : svg("text", { class: "clock", x: 200 }),
    plain ? svg("text", { class: "waiting flush", x: 388, y: 26, "font-size": 26 }) : svg("text", { class: "waiting", x: 200 }),
    svg("g", { class: "dots" }),
  );
}
