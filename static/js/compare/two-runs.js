// @ts-check
/**
 * The comparison of the run with another one, its opponent: a branch, a built-in scenario, or a file that
 * contains a scenario or a trace. Without an opponent, the lanes of the run are compared with each other. The
 * server computes the comparison. This module requests it and displays the result: a summary, a table of
 * timers, and a button that moves the cursor to the first difference.
 */
import { askAgain, refusalWords } from "../core/ask-again.js";
import { branchName } from "../core/branches.js";
import { byId, html, setText } from "../core/dom.js";
import { readScenario } from "../core/saved-scenarios.js";
import { rowsTable, timersTable } from "./two-run-tables.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";

/** Maximum size of a file, in bytes. It must equal ImportBytesMax in web/session/protocol/limits.go. */
const FILE_BYTES_MAX = 64 << 20;

/**
 * What the run is compared with. `scenario` is the ID of a scenario that the server has. If it is missing, `text`
 * resolves to the content to send, a scenario or a trace, or to null if that is no longer stored. `run` is set for
 * a branch. `key` is unique among the opponents.
 * @typedef {{key: string, name: string, scenario?: string, run?: string, text?: () => Promise<string|Blob|null>}} Opponent
 */

export class TwoRuns {
  /** @type {Opponent|null} */
  #against = null;
  /** @type {Opponent[]} */
  #offered = [];
  /** The run and the opponent's key of the last request, separated by "/"; "" if the request is to be repeated. */
  #asked = "";
  /** @type {any} the displayed report */
  #report = null;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.select = byId("contest-with");
    this.file = byId("contest-file");
    this.summary = byId("contest-said");
    this.first = byId("contest-first");
    this.there = byId("contest-there");
    this.select.addEventListener("change", () => this.#choose(this.#offered.find(({ key }) => key === this.select.value) ?? null));
    byId("contest-open").addEventListener("click", () => this.file.click());
    this.file.addEventListener("change", () => this.#chooseFile());
    this.first.addEventListener("click", () => this.#go(this.#report.first.tick));
    this.there.addEventListener("click", () => this.#open());
    byId("contest-timers").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const to = /** @type {Element} */ (event.target).closest("[data-tick]");
      if (to) this.#go(Number(to.getAttribute("data-tick")));
    });
  }

  /** Lists the opponents and requests the comparison when the pane opens or another run is displayed. */
  ask() {
    this.#offer();
    const key = `${this.app.store.run}/${this.#against?.key ?? ""}`;
    if (key === this.#asked || !this.app.store.hello) return;
    this.#asked = key;
    this.#fetch(key);
  }

  /** Moves the cursor to a tick. @param {number} tick */
  #go(tick) { this.app.send("seek", { tick: Math.min(tick, this.app.store.until) }); }

  /** Opens the opponent at the first tick at which the two runs differ. */
  #open() {
    const tick = this.#report?.first?.tick ?? 0;
    if (this.#against) this.app.goTo({ run: this.#against.run ?? "", scenario: this.#against.scenario ?? "" }, { tick, seq: -1 });
  }

  /** Selects an opponent; null selects none. @param {Opponent|null} opponent */
  #choose(opponent) {
    this.#against = opponent;
    this.ask();
  }

  #chooseFile() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    if (file.size > FILE_BYTES_MAX) return this.#fail(t("contest.big", { file: file.name, max: FILE_BYTES_MAX >> 20 }));
    this.#choose({ key: `file:${file.name}:${file.size}:${file.lastModified}`, name: file.name, text: async () => file });
  }

  /** Fills the list of opponents with the chosen file, the branches and the built-in scenarios. */
  #offer() {
    const { branches, store, scenario } = this.app;
    /** @type {Opponent[]} */
    const made = branches.list.filter((/** @type {any} */ b) => b.run !== store.run).map((/** @type {any} */ b) => ({
      key: `run:${b.run}`, name: branchName(b), run: b.run, ...(b.scenario ? { scenario: b.scenario } : { text: async () => readScenario(b.run) }),
    }));
    const options = /** @type {HTMLOptionElement[]} */ ([...byId("scenarios").querySelectorAll("option[value]")]).filter((o) => o.value);
    const built = options.filter((o) => o.value !== (store.hello?.scenario.custom ? "" : scenario)).map((o) => ({ key: `scenario:${o.value}`, name: o.textContent ?? o.value, scenario: o.value }));
    const file = this.#against?.key.startsWith("file:") ? [this.#against] : [];
    const all = [...file, ...made, ...built];
    const look = all.map(({ key, name }) => `${key}${name}`).join("\n");
    if (this.select.dataset.look === look) return;
    this.select.dataset.look = look;
    this.#offered = all;
    this.select.replaceChildren(html("option", { value: "" }, t("contest.own")), ...file.map(option), ...group("contest.branches", made), ...group("contest.scenarios", built));
    if (this.#against && !all.some(({ key }) => key === this.#against?.key)) this.#against = null; // because it is now the displayed run
    this.select.value = this.#against?.key ?? "";
  }

  /**
   * Requests the comparison and displays it, unless another one has been requested in the meantime.
   * @param {string} key the run and the opponent's key, separated by "/"
   */
  async #fetch(key) {
    const box = byId("contest");
    box.setAttribute("aria-busy", "true");
    const answer = await this.#answer(key);
    if (key !== this.#asked) return;
    box.removeAttribute("aria-busy");
    if (answer.report) this.#show(answer.report);
    else this.#fail(answer.problem ?? "");
    if (answer.away) this.#asked = ""; // so that the next cursor movement repeats the request
  }

  /**
   * Requests the comparison and returns the server's answer.
   * @param {string} key
   * @returns {Promise<{report?: any, problem?: string, away?: boolean}>} away: whether the server is
   *   unreachable, so that the request should be repeated
   */
  async #answer(key) {
    const { app } = this;
    const q = new URLSearchParams({ run: app.store.run, lang: app.lang });
    /** @type {RequestInit} */
    let how = {};
    if (this.#against?.scenario) q.set("scenario", this.#against.scenario);
    else if (this.#against?.text) {
      const body = await this.#against.text();
      if (body === null) return { problem: t("contest.gone", { name: this.#against.name }) };
      q.set("name", this.#against.name);
      how = { method: "POST", body };
    }
    const address = `${app.base}/api/contest?${q}`;
    const answer = how.body ? await request(address, how).catch(() => null) : await askAgain(address, how, {
      wanted: () => key === this.#asked && app.panes.isOpen("compare"),
      busy: () => { if (key === this.#asked) this.#fail(t("compare.computing")); },
    });
    if (!answer) return { problem: t("compare.offline"), away: true };
    const away = answer.status === 503 && !how.body;
    if (!answer.ok) return { problem: t("contest.failed", { why: answer.status === 422 ? (await answer.text()).trim() : await refusalWords(answer) }), away };
    const report = await answer.json().catch(() => null);
    return report ? { report } : { problem: t("compare.offline") };
  }

  /** Removes the previous result and shows why there is none. @param {string} problem */
  #fail(problem) {
    this.#report = null;
    this.summary.replaceChildren(html("p", { class: "pane-problem" }, problem));
    this.first.hidden = this.there.hidden = true;
    for (const part of ["contest-rows", "contest-timers"]) byId(part).hidden = true;
  }

  /** Displays a report. @param {any} report */
  #show(report) {
    this.#report = report;
    const names = report.sides.length > 1 ? [html("p", { class: "contest-sides" }, report.sides.map(sideWords).join(t("contest.and")))] : [];
    this.summary.replaceChildren(...names, ...report.verdict.map((/** @type {string} */ words) => html("p", {}, words)));
    this.first.hidden = !report.first;
    if (report.first) setText(this.first, t("contest.first", { tick: report.first.tick }));
    this.there.hidden = !(this.#against?.run || this.#against?.scenario);
    if (this.#against) setText(this.there, t("contest.there", { name: this.#against.name }));
    const [rows, timers] = [byId("contest-rows"), byId("contest-timers")];
    rows.hidden = report.sides.length < 2;
    rows.replaceChildren(...(rows.hidden ? [] : [rowsTable(report)]));
    timers.hidden = report.timers.length === 0;
    timers.replaceChildren(...(timers.hidden ? [] : [timersTable(report)]));
  }
}

/**
 * Describes a side of the comparison, "A" or "B", by its name. If it is a trace that differs from the run of its
 * scenario, the first line that differs is added.
 * @param {any} side
 */
function sideWords({ side, name, altered }) {
  return `${side}: ${name}${altered ? t("contest.altered", { line: altered }) : ""}`;
}

/** Returns the option for an opponent. @param {Opponent} opponent */
function option({ key, name }) {
  return html("option", { value: key }, name);
}

/** Returns a group of options. @param {string} key key of the group's heading @param {Opponent[]} list */
function group(key, list) {
  return list.length === 0 ? [] : [html("optgroup", { label: t(key) }, ...list.map(option))];
}
