// @ts-check
/**
 * The comparison of the lanes over the whole run: a summary, curves, and the table that `wheelscope compare`
 * prints. The server computes the comparison. This module requests it once per run and displays it.
 */
import { askAgain, refusalWords } from "../core/ask-again.js";
import { Plots } from "./plots.js";
import { setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { lanesTable } from "./table.js";
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
    this.#ask();
    this.box.querySelector("h2")?.scrollIntoView({ block: "nearest" });
  }

  close() {}

  begin() { this.#ask(); }

  moved() { this.#ask(); }

  draw() { return this.plots.draw(); }

  /** Requests the comparison of the displayed run, unless it is already displayed. */
  async #ask() {
    const { run, hello } = this.app.store;
    if (!hello || run === this.#run || this.#busy || performance.now() - this.#tried < RETRY_MS && this.#wanted === run) return;
    this.#wanted = run;
    this.#tried = performance.now();
    this.#busy = true;
    this.box.setAttribute("aria-busy", "true");
    const answer = await fetchComparison(this.app, run, {
      wanted: () => run === this.app.store.run && this.app.panes.isOpen("compare"),
      busy: () => setText(this.problem, t("compare.computing")),
    });
    this.#busy = false;
    this.box.removeAttribute("aria-busy");
    if (run !== this.app.store.run) return void this.#ask();
    setText(this.problem, answer.problem ? t("compare.failed", { why: answer.problem }) : "");
    if (answer.comparison) this.#show(answer.comparison);
  }

  /** Spreads the timers that fire together, as an edit of the workload. */
  async #spread() {
    const { run, tick } = this.app.store;
    const { spread } = this.#comparison;
    const answer = await askAgain(`${this.app.base}/api/spread?${new URLSearchParams({ run, lang: this.app.lang })}`, {}, { wanted: () => run === this.app.store.run });
    const text = answer?.ok ? (await answer.json().catch(() => null))?.text : "";
    const fault = text ? await this.app.edit("load", { text, tick }, { key: "branch.spread", values: {} }) : { path: "link", message: "" };
    setText(this.problem, fault ? (fault.path === "link" ? t("error.link") : fault.message) : "");
    if (fault) return;
    this.#spreadRun = this.app.store.run;
    this.#done = spread;
  }

  /** Shows what spreading gains or, if the displayed run is the one it made, has gained. @param {any} spread */
  #showSpread(spread) {
    const done = this.#spreadRun === this.app.store.run;
    const facts = done ? this.#done : spread;
    this.spread.hidden = !facts;
    /** @type {HTMLElement} */ (this.spread.querySelector("button")).hidden = done;
    const words = /** @type {HTMLElement} */ (this.spread.querySelector("span"));
    setText(words, facts ? t(done ? "compare.spread.done" : "compare.spread.gain", facts) : "");
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
    this.app.loop.ask();
  }
}

/**
 * Fetches the comparison of a run, and waits while the server is still computing it. If that fails, `problem`
 * is a text with the reason.
 * @param {any} app @param {string} run @param {{wanted: () => boolean, busy: () => void}} use
 * wanted: reports whether the comparison is still needed; busy: called whenever the server is not ready yet
 * @returns {Promise<{comparison?: any, problem?: string}>}
 */
async function fetchComparison(app, run, use) {
  const answer = await askAgain(`${app.base}/api/compare?${new URLSearchParams({ run, lang: app.lang })}`, {}, use);
  if (!answer) return { problem: t("compare.offline") };
  if (!answer.ok) return { problem: await refusalWords(answer) };
  const comparison = await answer.json().catch(() => null);
  return comparison ? { comparison } : { problem: t("compare.offline") };
}

/** Creates the pane. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new ComparePane(app, box);
