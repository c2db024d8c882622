// @ts-check
/** The numbers and tables of the lanes, which are not visible. They are filled when the page rests. */
import { html, setAttr, setText } from "../core/dom.js";
import { COUNT } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { fillTimers } from "../page/table.js";
import { sortedPlaces } from "../state/lane-state.js";
import { placeCell, tableHead } from "../state/words.js";

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
