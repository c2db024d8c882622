// @ts-check
/**
 * Functions that create the tables of a comparison of two runs: the results of each lane, and the timers that
 * differ. They have no side effects.
 */
import { html } from "../core/dom.js";
import { t } from "../core/texts.js";

/** Maximum number of timers displayed. The command line and the server list more. */
const TIMERS_SHOWN = 50;

/**
 * Columns of the table of lanes. Each has the name of a field of the rows in the server's answer, and the text key
 * of its heading.
 */
const COLUMNS = /** @type {const} */ ([
  ["fired", "column.fired"], ["cancelled", "column.cancelled"], ["rejected", "column.rejected"], ["early_max", "contest.early"], ["late_max", "contest.late"],
  ["off", "contest.off"], ["cost", "column.cost"], ["worst_tick", "column.worst"], ["findings", "column.findings"],
]);

/**
 * Returns the table of the lanes of both runs. Lanes with equal ids are on adjacent rows.
 * @param {any} report
 */
export function rowsTable({ rows }) {
  const order = [...new Set(rows.map((/** @type {any} */ row) => row.lane))];
  const sorted = order.flatMap((lane) => rows.filter((/** @type {any} */ row) => row.lane === lane));
  const head = [html("th", { scope: "col" }, t("column.lane")), ...COLUMNS.map(([, key]) => html("th", { scope: "col", class: "n" }, t(key)))];
  return table(head, sorted.map((row) => {
    const name = html("th", { scope: "row" }, html("code", {}, row.lane), " ", html("b", {}, row.side));
    return [name, ...COLUMNS.map(([field, key]) => figure(row[field], t(key)))];
  }));
}

/**
 * Returns the table of the timers that differ. Its caption is the number of timers that are not listed.
 * @param {any} report
 */
export function timersTable({ timers, differing, more, sides }) {
  const shown = timers.slice(0, TIMERS_SHOWN);
  const lanes = sides.length > 1 ? ["A", "B"] : timers[0].ends.map((/** @type {any} */ end) => end.lane);
  const head = [t("contest.tick"), t("contest.timer"), t("contest.due"), ...lanes].map((words) => html("th", { scope: "col" }, words));
  const made = table(head, shown.map((/** @type {any} */ timer) => {
    const name = html("th", { scope: "row", "data-heading": t("contest.timer") }, timer.run > 1 ? t("contest.run", { name: timer.timer, run: timer.run }) : timer.timer);
    const ends = timer.ends.map((/** @type {any} */ end, /** @type {number} */ k) => cellOf(end, lanes[k], sides.length > 1));
    return [tickCell(timer.tick), name, html("td", { "data-heading": t("contest.due") }, String(timer.due)), ...ends];
  }));
  const rest = differing - shown.length;
  if (rest > 0) made.append(html("caption", {}, t(more ? "contest.more" : "contest.rest", { n: rest })));
  return made;
}

/** Returns a cell with a button that moves the cursor to a tick. @param {number} tick */
function tickCell(tick) {
  const button = html("button", { class: "plain", type: "button", "data-tick": tick, "aria-label": t("contest.go", { tick }) }, String(tick));
  return html("td", { "data-heading": t("contest.tick") }, button);
}

/**
 * Returns the cell that describes a timer's outcome in a lane.
 * @param {any} end @param {string} heading @param {boolean} named whether to name the lane
 */
function cellOf(end, heading, named) {
  const lane = named ? [html("code", {}, end.lane), " "] : [];
  return html("td", { "data-heading": heading, class: end.kind === "expire" && end.late === 0 ? "" : "off" }, ...lane, endWords(end));
}

/** Describes a timer's outcome. @param {{kind: string, tick: number, late: number}} end */
function endWords({ kind, tick, late }) {
  if (kind === "expire" && late !== 0) return t(late > 0 ? "contest.end.late" : "contest.end.early", { tick, n: Math.abs(late) });
  return t(`contest.end.${kind || "none"}`, { tick });
}

/**
 * Returns the cell for a number.
 * @param {number} n the number; negative if unknown @param {string} heading
 */
function figure(n, heading) {
  return html("td", { class: "n", "data-heading": heading }, n < 0 ? "–" : n.toLocaleString("en"));
}

/** Returns a table element. @param {Element[]} head @param {Element[][]} rows */
export function table(head, rows) {
  const line = (/** @type {Element[]} */ cells) => html("tr", {}, ...cells);
  return html("table", {}, html("thead", {}, line(head)), html("tbody", {}, ...rows.map(line)));
}
