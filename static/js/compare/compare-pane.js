// @ts-check
/**
 * The comparison of the lanes over the whole run: a summary, curves, and the table that `wheelscope compare`
 * prints. The server computes the comparison. This module requests it once per run and displays it.
 */
import { requestJSON } from "../core/requests.js";
import { Plots } from "./plots.js";
import { setText, html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { summaryParts } from "./run-summary.js";

/** Minimum interval between two requests for the same run, in milliseconds. */
const RETRY_MS = 3000;

class ComparePane {
  #run = "";
  #wanted = "";
  /** The displayed comparison. @type {any} */
  #comparison = null;
  #tried = -RETRY_MS;
  #busy = false;
  /** The run that was made by spreading timers, and what that has gained. */
  #spreadRun = "";
  /** @type {any} */
  #done = null;

  /** @param {any} app @param {HTMLElement} box */
  constructor(app, box) {
    this.app = app;
    this.box = box;
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (box.querySelector(name));
    this.problem = part("[data-problem]");
    this.summary = part("#verdict");
    this.spread = part("#spread");
    this.spread.querySelector("button")?.addEventListener("click", () => this.#spread());
    this.table = part(":scope > .compare-table");
    const seek = (/** @type {number} */ tick) => { if (app.link.waiting < 2) app.send("seek", { tick }); };
    this.plots = new Plots(part("#plots"), app, seek);
    this.all = /** @type {HTMLButtonElement} */ (part("#compare-all"));
    this.all.addEventListener("click", () => this.#showTable(this.all.getAttribute("aria-pressed") !== "true"));
    this.log = /** @type {HTMLInputElement} */ (part("#compare-log"));
    this.log.addEventListener("change", () => this.plots.scale(this.log.checked));
    this.table.addEventListener("click", (event) => {
      const to = /** @type {Element} */ (event.target).closest("[data-tick]");
      if (to) app.send("seek", { tick: Number(to.getAttribute("data-tick")) });
    });
  }

  open() {
    this.#request();
    this.box.querySelector("h2")?.scrollIntoView({ block: "nearest" });
  }

  begin() { this.#request(); }

  moved() { this.#request(); }

  draw() { this.plots.draw(); }

  /** Requests the comparison of the displayed run, unless it is already displayed. */
  async #request() {
    const { run, hello } = this.app.store;
    if (!hello || run === this.#run || this.#busy || performance.now() - this.#tried < RETRY_MS && this.#wanted === run) return;
    this.#wanted = run;
    this.#tried = performance.now();
    this.#busy = true;
    this.box.setAttribute("aria-busy", "true");
    const comparison = await requestJSON(this.app, "compare", { run }, {
      offline: "compare.offline",
      wanted: () => run === this.app.store.run && this.app.panes.isOpen("compare"),
      busy: () => setText(this.problem, t("compare.computing")),
    });
    this.#busy = false;
    this.box.removeAttribute("aria-busy");
    if (run !== this.app.store.run) return void this.#request();
    const failed = typeof comparison === "string";
    setText(this.problem, failed ? t("compare.failed", { why: comparison }) : "");
    if (!failed) this.#show(comparison);
  }

  /** Spreads the timers that fire together, as an edit of the workload. */
  async #spread() {
    const { run, tick } = this.app.store;
    const { spread } = this.#comparison;
    const { text } = await requestJSON(this.app, "spread", { run }, { wanted: () => run === this.app.store.run });
    const fault = text ? await this.app.edit("load", { text, tick }, { key: "branch.spread", values: {} }) : { path: "link", message: "" };
    setText(this.problem, fault ? (fault.path === "link" ? t("error.link") : fault.message) : "");
    if (fault) return;
    this.#spreadRun = this.app.store.run;
    this.#done = spread;
  }

  /** Shows what spreading gains or, if the displayed run is the one it made, has gained. @param {any} spread */
  #showSpread(spread) {
    const done = this.#spreadRun === this.app.store.run;
    const change = done ? this.#done : spread;
    this.spread.hidden = !change;
    /** @type {HTMLElement} */ (this.spread.querySelector("button")).hidden = done;
    const words = /** @type {HTMLElement} */ (this.spread.querySelector("span"));
    const units = (/** @type {number} */ n) => n.toLocaleString("en-US");
    setText(words, change ? t(done ? "compare.spread.done" : "compare.spread.gain", { lane: change.lane, before: units(change.before), after: units(change.after) }) : "");
  }

  /** Displays the table. @param {boolean} all whether it has all columns */
  #showTable(all) {
    this.all.setAttribute("aria-pressed", String(all));
    if (this.#comparison) this.table.replaceChildren(lanesTable(this.#comparison, this.app.store.infos, this.app.lang, all));
  }

  /** Displays a comparison. @param {any} comparison */
  #show(comparison) {
    this.#run = comparison.run;
    this.summary.replaceChildren(...summaryParts(comparison.verdict, comparison.rows.map((/** @type {any} */ row) => row.lane)));
    this.#comparison = comparison;
    this.#showSpread(comparison.spread);
    this.#showTable(this.all.getAttribute("aria-pressed") === "true");
    this.plots.show(comparison);
    this.log.checked = this.plots.log;
    this.app.loop.request();
  }
}

/** Creates the pane. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new ComparePane(app, box);

/**
 * The columns of the table besides that of the lanes. Each has the name of a field of the rows in the server's answer,
 * the text key of its heading and, if the smallest value is to be marked, true.
 */
const COLUMNS = /** @type {[string, string, boolean?][]} */ ([
  ["fired", "column.fired"], ["cancelled", "column.cancelled"], ["rejected", "column.rejected"],
  ["early", "column.early"], ["early_max", "column.earlymax"], ["late", "column.late"], ["late_max", "column.latemax"], ["late_p99", "column.latep"],
  ["cost", "column.cost", true], ["mean", "column.mean"], ["worst_tick", "column.worst", true], ["worst_tick_at", "column.at"],
  ["bytes_per_timer", "column.bytes", true], ["findings", "column.findings"],
  ["operations", "column.operations"], ["passed_over", "column.passed"], ["ticks", "column.ticks"], ["bytes", "column.bytes.all"],
]);
/** The fields of the columns that are shown at first, the most important ones first. A column of zeros is left out. */
const FIRST = ["fired", "rejected", "cost", "worst_tick", "early_max", "late_max", "findings", "worst_tick_at", "cancelled", "mean", "bytes_per_timer"];
/** Maximum number of these columns. */
const FIRST_MAX = 6;

/** Returns the columns that are shown at first. @param {any[]} rows */
function firstColumns(rows) {
  const telling = FIRST.filter((field) => rows.some((row) => row[field] !== 0)).slice(0, FIRST_MAX);
  return COLUMNS.filter(([field]) => telling.includes(field));
}

/**
 * Returns the table of a comparison. Its last row, marked with *, is that of package time, unless a lane has those timers.
 * @param {any} comparison @param {import("../state/store.js").LaneInfo[]} infos @param {string} lang
 * @param {boolean} all whether it has all columns, not only the most important ones
 */
function lanesTable({ rows, package_time: beside }, infos, lang, all) {
  const columns = all ? COLUMNS : firstColumns(rows);
  const head = [html("th", { scope: "col" }, t("column.lane")), ...columns.map(([, key]) => html("th", { scope: "col", class: "n" }, t(key)))];
  const lines = rows.map((/** @type {any} */ row, /** @type {number} */ lane) => {
    const title = infos[lane]?.title;
    const name = html("th", { scope: "row" }, html("code", {}, row.lane), " ", html("small", {}, title?.[lang] ?? title?.en ?? row.algorithm));
    return [name, ...columns.map(([field, key, marked]) => cellOf(row, field, t(key), Boolean(marked) && isLeast(rows, row, field)))];
  });
  if (beside) {
    const name = html("th", { scope: "row" }, html("code", {}, beside.lane), " *", html("small", {}, ` ${t("compare.beside")}`));
    lines.push([name, ...columns.map(([field, key]) => cellOf(beside, field, t(key), false))]);
  }
  return table(head, lines);
}

/** Returns a table element. @param {Element[]} head @param {Element[][]} rows */
function table(head, rows) {
  const line = (/** @type {Element[]} */ cells) => html("tr", {}, ...cells);
  return html("table", { class: "stacked figured" }, html("thead", {}, line(head)), html("tbody", {}, ...rows.map(line)));
}

/**
 * Reports whether the row has the smallest value and some other row has a larger one. A lane that rejected timers had
 * less to do, so it is not compared.
 * @param {any[]} rows @param {any} row @param {string} field
 */
function isLeast(rows, row, field) {
  const values = rows.filter((r) => r.rejected === 0).map((r) => r[field]);
  return row.rejected === 0 && row[field] === Math.min(...values) && row[field] < Math.max(...values);
}

/** Returns a cell of the table. @param {any} row @param {string} field @param {string} words heading, shown in the cell if the window is narrow @param {boolean} least */
function cellOf(row, field, words, least) {
  const cell = html("td", { class: least ? "n least" : "n", "data-label": words });
  const figure = row[field].toLocaleString("en");
  if (field === "worst_tick_at") {
    const button = html("button", { class: "plain", type: "button", "data-tick": row[field], "aria-label": t("compare.go", { tick: row[field], lane: row.lane }) }, figure);
    cell.append(button);
  } else if (least) {
    cell.append(html("span", { role: "img", "aria-label": t("compare.least") }, "✓"), ` ${figure}`);
  } else {
    cell.textContent = figure;
    cell.classList.toggle("nil", row[field] === 0);
  }
  return cell;
}
