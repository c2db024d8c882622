// @ts-check
/** The table with the costs of each lane in the step and in the tick, and the parts of these costs. */
import { COST } from "../core/protocol.js";
import { byId, html, setAttr, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

export class CostTable {
  /** @type {import("../state/store.js").LaneInfo[]} */
  #infos = [];

  constructor() {
    this.table = byId("story-cost");
    this.body = this.table.tBodies[0];
  }

  /** Displays the costs. @param {import("../state/store.js").Store} store @param {boolean} [still] whether playback is stopped */
  show({ infos, lanes, seq, did }, still = true) {
    this.table.hidden = seq === 0; // no cost yet
    if (infos !== this.#infos) this.#make(infos);
    lanes.forEach((lane, i) => {
      const [row, parts] = [this.body.rows[2 * i], this.body.rows[2 * i + 1]];
      const all = still ? did?.[i] : undefined;
      const mine = all && all.events > 0 ? all : undefined;
      setText(row.cells[1], mine ? mine.cost : "–");
      setText(row.cells[2], lane.cost[COST.tick]);
      setText(parts.cells[0], mine ? madeOf(mine, infos[i]) : "");
      parts.toggleAttribute("hidden", !mine || mine.cost === 0);
      setAttr(row, "class", mine ? "took" : "");
    });
  }

  /** Creates the rows. @param {import("../state/store.js").LaneInfo[]} infos */
  #make(infos) {
    this.#infos = infos;
    this.body.replaceChildren(...infos.flatMap(({ id }) => {
      const [row, parts] = [html("tr"), html("tr", { class: "of" })];
      row.append(html("th", { scope: "row" }, id), html("td"), html("td"));
      parts.append(html("td", { colspan: 3 }));
      return [row, parts];
    }));
  }
}

/**
 * Describes the parts of a cost, which explain the differences between lanes. Example: "1 timer, 2 moves, 3
 * slots and levels examined".
 * @param {import("../state/activity.js").Activity} did @param {{shape: string}} info
 */
function madeOf({ timers, moves, looks }, { shape }) {
  /** @type {[string, number][]} */
  const kinds = [["spent.timers", timers], ["spent.moves", moves], [`spent.looks.${shape}`, looks]];
  return kinds.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n })).join(t("sum.comma"));
}
