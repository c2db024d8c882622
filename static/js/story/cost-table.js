// @ts-check
/** What the step and the tick cost in each lane, and of what. */
import { COST } from "../protocol.js";
import { byId, html, setAttr, setText } from "../dom.js";
import { spentIn } from "./cost.js";
import { t } from "../texts.js";

export class CostTable {
  /** @type {import("../store.js").LaneInfo[]} */
  #infos = [];

  constructor() {
    this.table = byId("story-cost");
    this.body = this.table.tBodies[0];
  }

  /** @param {import("../store.js").Store} store @param {number[]} rows of the step */
  show({ infos, lanes }, rows) {
    this.table.hidden = false;
    if (infos !== this.#infos) this.#make(infos);
    const spent = new Map(spentIn(rows).map((one) => [one.lane, one]));
    lanes.forEach((lane, i) => {
      const row = this.body.rows[i];
      const mine = spent.get(i);
      setText(row.cells[1], mine ? mine.cost : "–");
      setText(row.cells[2], lane.cost[COST.tick]);
      setText(row.cells[0].lastChild, mine ? madeOf(mine) : "");
      setAttr(row, "class", mine ? "took" : "");
    });
  }

  /** @param {import("../store.js").LaneInfo[]} infos */
  #make(infos) {
    this.#infos = infos;
    this.body.replaceChildren(...infos.map(({ id }) => {
      const row = html("tr");
      const head = html("th", { scope: "row" });
      head.append(html("span", {}, id), html("span", { class: "of" }));
      row.append(head, html("td"), html("td"));
      return row;
    }));
  }
}

/** "1 timer, 2 moves, 3 looks". @param {import("./cost.js").Spent} spent */
function madeOf({ timers, moves, looks }) {
  /** @type {[string, number][]} */
  const kinds = [["spent.timers", timers], ["spent.moves", moves], ["spent.looks", looks]];
  return kinds.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n })).join(t("sum.comma"));
}
