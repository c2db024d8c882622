// @ts-check
/** The table with the figures of all lanes up to the cursor. */
import { COST, COUNT } from "../core/protocol.js";
import { byId, html, setText } from "../core/dom.js";

export class SoFar {
  /** @type {import("../state/store.js").LaneInfo[]} */
  #infos = [];

  constructor() {
    this.body = /** @type {HTMLTableElement} */ (byId("so-far")).tBodies[0];
  }

  /** Shows the figures. @param {import("../state/store.js").Store} store */
  show({ infos, lanes }) {
    if (lanes.length !== infos.length) return;
    if (infos !== this.#infos) this.#make(infos);
    lanes.forEach(({ counts, cost }, i) => {
      const [, live, fired, work, worst] = this.body.rows[i].cells;
      setText(live, counts[COUNT.live]);
      setText(fired, counts[COUNT.expired]);
      setText(work, cost[COST.total]);
      setText(/** @type {Element} */ (worst.firstChild), cost[COST.worst]);
      setText(/** @type {any} */ (worst.lastChild), ` @ ${cost[COST.worstAt]}`);
    });
  }

  /** Makes a row for each lane. @param {import("../state/store.js").LaneInfo[]} infos */
  #make(infos) {
    this.#infos = infos;
    this.body.replaceChildren(...infos.map(({ id }) => html("tr", {}, html("th", { scope: "row" }, id), ...Array.from({ length: 3 }, () => html("td")), html("td", {}, html("b"), " "))));
  }
}
