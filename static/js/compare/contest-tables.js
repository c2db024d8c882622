// @ts-check
/** The tables of a contest: what each lane came to, and the timers that differ. Pure but for the elements they make. */
import { html } from "../dom.js";
import { t } from "../texts.js";

/** Timers that are shown; the command line and the server tell more. */
const TIMERS_SHOWN = 50;

/** Columns of the lanes: the name in a row of the server's, and its heading. */
const COLUMNS = /** @type {const} */ ([
  ["fired", "column.fired"], ["cancelled", "column.cancelled"], ["rejected", "column.rejected"], ["early_max", "contest.early"], ["late_max", "contest.late"],
  ["off", "contest.off"], ["cost", "column.cost"], ["worst_tick", "column.worst"], ["findings", "column.findings"],
]);

/** Lanes of both sides, those of one id below each other. @param {any} report */
export function rowsTable({ rows }) {
  const order = [...new Set(rows.map((/** @type {any} */ row) => row.lane))];
  const sorted = order.flatMap((lane) => rows.filter((/** @type {any} */ row) => row.lane === lane));
  const head = [html("th", { scope: "col" }, t("column.lane")), ...COLUMNS.map(([, key]) => html("th", { scope: "col", class: "n" }, t(key)))];
  return table(head, sorted.map((row) => {
    const name = html("th", { scope: "row" });
    name.append(html("code", {}, row.lane), " ", html("b", {}, row.side));
    return [name, ...COLUMNS.map(([field, key]) => figure(row[field], t(key)))];
  }));
}

/** @param {any} report */
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

/** @param {number} tick */
function tickCell(tick) {
  const cell = html("td", { "data-heading": t("contest.tick") });
  cell.append(html("button", { class: "plain", type: "button", "data-tick": tick, "aria-label": t("contest.go", { tick }) }, String(tick)));
  return cell;
}

/** What became of a timer in a lane. @param {any} end @param {string} heading @param {boolean} named its lane is told */
function cellOf(end, heading, named) {
  const cell = html("td", { "data-heading": heading, class: end.kind === "expire" && end.late === 0 ? "" : "off" });
  if (named) cell.append(html("code", {}, end.lane), " ");
  cell.append(endWords(end));
  return cell;
}

/** @param {{kind: string, tick: number, late: number}} end */
function endWords({ kind, tick, late }) {
  if (kind === "expire" && late !== 0) return t(late > 0 ? "contest.end.late" : "contest.end.early", { tick, n: Math.abs(late) });
  return t(`contest.end.${kind || "none"}`, { tick });
}

/** @param {number} n −1: not known @param {string} heading */
function figure(n, heading) {
  return html("td", { class: "n", "data-heading": heading }, n < 0 ? "–" : n.toLocaleString("en"));
}

/** @param {Element[]} head @param {Element[][]} rows */
function table(head, rows) {
  const all = html("table");
  const line = (/** @type {Element[]} */ cells) => {
    const row = html("tr");
    row.append(...cells);
    return row;
  };
  const [top, rest] = [html("thead"), html("tbody")];
  top.append(line(head));
  rest.append(...rows.map(line));
  all.append(top, rest);
  return all;
}
