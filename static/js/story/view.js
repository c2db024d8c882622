// @ts-check
/**
 * The story beside the lanes: what happened and why, the formula, the line of code, the figures of all lanes, and the next
 * step. step.js creates the text from the rows of the last movement. This module displays it, at most once
 * per frame. During fast playback it displays counts instead.
 */
import { byId, html, setDisabled, setText } from "../core/dom.js";
import { COST, COUNT, ROW, cell } from "../core/protocol.js";
import { Code, codeLine, descriptionOf, procedureName } from "./code.js";
import { contextOf } from "./event.js";
import { describe, nextWords, summary } from "./step.js";
import { t } from "../core/texts.js";
import { LatestRequest } from "../core/requests.js";

/** Maximum playback rate, in ticks per second, at which every step is described. */
const DESCRIBED_RATE = 3;
/** Maximum number of events of a movement that are described. */
const DESCRIBED_EVENTS = 400;
/** Intervals between two summaries and between two updates of the figures during fast playback, in milliseconds. */
const [COUNT_MS, FIGURES_MS] = [700, 100];

/** @typedef {import("./step.js").Story} Story */

export class StoryView {
  #playing = "";
  #dirty = false;
  /** Rows of the events to describe. @type {number[]} */
  #rows = [];
  /** Index of the lane whose formula and code the reader has chosen, or −1 for the lane in the headline. */
  #chosen = -1;
  #countedAt = -COUNT_MS;
  #figuresAt = 0;
  /** Counts of the lanes at the last summary. @type {number[][]} */
  #counted = [];
  /** Digest of the run to which #counted belongs. */
  #countedRun = "";
  /** The last position of the cursor that was displayed without events. */
  #bareAt = "";
  /** @type {Story|null} */
  #story = null;
  /** @type {{tick: number, seq: number, lane: number, id: number}|null} */
  #about = null;

  /** @param {any} app @param {() => string} speedWords */
  constructor(app, speedWords) {
    this.app = app;
    this.store = /** @type {import("../state/store.js").Store} */ (app.store);
    this.speedWords = speedWords;
    this.where = byId("story-where");
    this.head = byId("story-head");
    this.said = byId("story-said");
    this.reason = byId("story-why");
    this.chips = byId("story-lanes");
    this.lines = byId("story-lines");
    this.formula = byId("story-formula");
    this.code = new Code(app.lang, () => this.again());
    this.soFar = new SoFar();
    this.next = new Next(app, (rows) => this.#context(rows));
    this.chips.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#choose(event));
  }

  /** Returns the index of the lane that the story is about. */
  get lane() {
    const { parts = [], lead = 0 } = this.#story ?? {};
    return (parts.find(({ lane }) => lane === this.#chosen) ?? parts[lead])?.lane ?? Math.max(0, this.app.views?.first ?? 0);
  }

  /** Reports whether every step is currently described. */
  get describing() {
    const { playing, rate } = this.store.player;
    return !playing || (rate > 0 && rate <= DESCRIBED_RATE);
  }

  /** Handles a movement of the cursor. */
  moved() {
    this.#rows = this.store.lastRows;
    this.#dirty = true;
  }

  /**
   * Makes the story about the events of one timer in one lane, while the cursor is at a position.
   * @param {{tick: number, seq: number}} place seq is 0 for the end of the tick @param {number} lane index of the lane @param {number} id 0 for all timers
   */
  about(place, lane, id) { this.#about = { ...place, lane, id }; }

  /** Returns the rows that the story is about. */
  #chosenRows() {
    const { seq, tick } = this.store;
    const about = this.#about;
    if (!about || about.tick !== tick || (about.seq > 0 && about.seq !== seq)) return this.#rows;
    /** @type {number[]} */
    const rows = [];
    for (let at = 0; at < this.#rows.length; at += ROW) {
      const row = this.#rows.slice(at, at + ROW);
      if (cell(row, 0, "lane") === about.lane && (about.id === 0 || cell(row, 0, "id") === about.id)) rows.push(...row);
    }
    return rows.length > 0 ? rows : this.#rows;
  }

  /** Displays the story if it is pending. Called in each frame. */
  draw() {
    const now = performance.now();
    if (this.describing || now - this.#figuresAt >= FIGURES_MS) {
      this.#figuresAt = now;
      this.soFar.show(this.store);
    }
    if (!this.describing) return this.#run();
    this.next.count();
    if (!this.#dirty || this.store.lanes.length === 0) return;
    this.#dirty = false;
    const stopped = this.#playing !== "" && !this.store.player.playing;
    this.#playing = "";
    const since = this.#since();
    const unsent = this.store.lanes.some((lane) => lane.mode === "counts"); // events, which are not sent then
    if (this.#rows.length > 0) this.#describe();
    else this.#bare(stopped, unsent ? since : "");
    this.next.request();
  }

  /** Creates and displays the story of the rows. */
  #describe() {
    const rows = described(this.#chosenRows(), this.app.views?.first ?? -1);
    const story = describe(rows, this.#context(rows));
    this.#bareAt = "";
    this.#story = story;
    this.#say(story.headline, story.where, story.why);
    this.#part(rows);
  }

  /**
   * Returns the data, in addition to rows, that sentences need.
   * @param {number[]} rows @returns {import("./event.js").Context}
   */
  #context(rows) {
    const { store } = this;
    return { ...contextOf(store), first: this.app.views?.first ?? -1, activities: store.lastCut || rows.length >= DESCRIBED_EVENTS * ROW ? store.activities : null };
  }

  /** Summarises what has happened since the last summary, by counts. Returns "" if nothing has. */
  #since() {
    const { run, lanes } = this.store;
    const counts = lanes.map((lane) => [...lane.counts]);
    const parts = this.#countedRun === run ? summary(this.#counted, counts) : [];
    [this.#counted, this.#countedRun] = [counts, run];
    return parts.join(t("sum.comma"));
  }

  /**
   * Displays a text about the position of the cursor if there are no events to describe, as at the start.
   * @param {boolean} stopped whether playback has just stopped
   * @param {string} since what happened since the last summary, or ""
   */
  #bare(stopped, since) {
    const { run, tick, seq, lanes, player, until } = this.store;
    const at = `${run}/${seq}/${tick}`;
    const shown = at === this.#bareAt && !since && !stopped;
    this.#bareAt = at;
    const fired = lanes.reduce((sum, lane) => sum + lane.counts[COUNT.expired], 0);
    this.#story = null;
    this.#hideParts();
    if (tick === 0 && seq === 0) return this.#say(t("story.start"));
    if (player.end && tick === until) return this.#say(t("story.end", { fired, lanes: lanes.length }), `t = ${tick}`); // player.end is checked together with the tick, because it is updated after the state
    if (!shown) this.#say(since ? t("story.since", { what: since }) : t(stopped ? "story.tick" : this.#stalled() ? "story.stalled" : "story.quiet"), `t = ${tick}`);
  }

  /** Reports whether no lane did anything at the cursor's tick because the driver was stalled. */
  #stalled() {
    const { tick, lanes } = this.store;
    return lanes.every((lane) => lane.now < tick && lane.cost[COST.tick] === 0);
  }

  /** Displays the lines, the formula and the code of one lane. @param {number[]} rows */
  #part(rows) {
    if (!this.#story) return;
    const { parts, lead } = this.#story;
    const chosen = parts.find(({ lane }) => lane === this.#chosen) ?? parts[lead];
    this.#showChips(parts, chosen);
    const because = chosen.why === this.#story.why ? [] : [chosen.why];
    const lines = [...chosen.lines, ...because, ...(chosen.hidden > 0 ? [t("story.more", { n: chosen.hidden })] : [])];
    // Whether the headline, the reason and the formula are sufficient, because the lane did nothing else.
    const repeated = lines.length === 1 && (lines[0] === this.#story.headline || (because.length === 0 && chosen.formulas.length > 0));
    this.lines.hidden = repeated;
    if (!repeated) this.lines.replaceChildren(...lines.map((line) => html("p", {}, line)));
    this.formula.hidden = chosen.formulas.length === 0;
    setText(this.formula, chosen.formulas.join("\n"));
    this.code.show(this.store.infos[chosen.lane].algorithm, rows, chosen.at);
  }

  /** Shows a button for each lane involved. @param {import("./step.js").Part[]} parts @param {import("./step.js").Part} chosen */
  #showChips(parts, chosen) {
    this.chips.hidden = parts.length < 2;
    const look = parts.map(({ id }) => id).join("\n");
    if (this.chips.dataset.look !== look) {
      this.chips.dataset.look = look;
      this.chips.replaceChildren(...parts.map(({ lane, id }) => html("button", { type: "button", "data-lane-index": lane }, id)));
    }
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(Number(chip.dataset.laneIndex) === chosen.lane));
  }

  /** Handles a click on a lane's button. @param {MouseEvent} event */
  #choose(event) {
    const chip = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-lane-index]"));
    if (!chip) return;
    this.#chosen = Number(chip.dataset.laneIndex);
    this.again();
  }

  /**
   * Undoes the user's choice of a lane: the large lane is described first or, if none is large, the lane in the
   * headline. Called after a change of the layout.
   */
  lead() {
    this.#chosen = -1;
    this.again();
  }

  /** Displays the story again, because playback has ended, code has arrived or another lane was chosen. */
  again() {
    this.#dirty = true;
    this.app.loop.request();
  }

  #hideParts() {
    for (const box of [this.chips, this.lines, this.formula]) box.hidden = true;
    this.code.hide();
  }

  /** Displays the speed when fast playback starts, and a summary every COUNT_MS. */
  #run() {
    this.#playing = t("story.playing", { speed: this.speedWords() });
    if (this.head.textContent !== this.#playing) {
      this.#say(this.#playing);
      this.#hideParts();
      this.#bareAt = "";
      this.next.hide();
      this.#countedAt = -COUNT_MS;
    }
    const now = performance.now();
    if (now - this.#countedAt < COUNT_MS) return;
    this.#countedAt = now;
    const { tick } = this.store;
    const what = this.#since();
    this.lines.hidden = false;
    this.lines.replaceChildren(html("p", {}, what ? t("sum", { tick, what }) : t("sum.none", { tick })));
  }

  /** Displays a headline. @param {string} headline @param {string} [where] @param {string} [why] */
  #say(headline, where = "", why = "") {
    setText(this.where, where);
    setText(this.head, headline);
    setText(this.said, `${where} ${why}`);
    setText(this.reason, why);
  }
}

/**
 * Returns the rows to describe: the last rows, and the first rows of the lane that is described first, which
 * could otherwise be missing if other lanes have many events.
 * @param {number[]} rows @param {number} first index of the lane that is described first, or −1 if there is none
 */
function described(rows, first) {
  if (rows.length <= DESCRIBED_EVENTS * ROW) return rows;
  const half = (DESCRIBED_EVENTS / 2) * ROW;
  /** @type {number[]} */
  const own = [];
  for (let at = 0; at < rows.length - half && own.length < half; at += ROW) {
    if (cell(rows, at, "lane") === first) own.push(...rows.slice(at, at + ROW));
  }
  return [...own, ...rows.slice(own.length - 2 * half)];
}

/** Work of which the digits leave no room for whole names of lanes in the panel. */
const WIDE = 1_000_000;

class SoFar {
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
      setText(/** @type {any} */ (worst.lastChild), ` @\u00a0${cost[COST.worstAt]}`);
    });
    this.body.classList.toggle("wide", lanes.some(({ cost }) => cost[COST.total] >= WIDE));
  }

  /** Makes a row for each lane. @param {import("../state/store.js").LaneInfo[]} infos */
  #make(infos) {
    this.#infos = infos;
    this.body.replaceChildren(...infos.map(({ id }) => html("tr", {}, html("th", { scope: "row" }, id), ...Array.from({ length: 3 }, () => html("td")), html("td", {}, html("b"), " "))));
  }
}

export class Rule {
  #shown = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.page = /** @type {HTMLAnchorElement} */ (byId("rule-page"));
  }

  /** Shows the rule of the lane that the story is about, if the tab is open. */
  draw() {
    const { app } = this;
    const info = app.store.infos[app.story.lane];
    if (!info || app.tabs.open !== "rule" || this.#shown === info.algorithm) return;
    const found = descriptionOf(info.algorithm, () => app.loop.request());
    setText(byId("rule-name"), info.title[app.lang] ?? info.title.en);
    if (this.page.hasAttribute("href")) this.page.href = `${app.base}/algorithms/${info.algorithm}?lang=${app.lang}`;
    if (!found) return;
    this.#shown = info.algorithm;
    setText(byId("rule-what"), found.idea[/** @type {"en"|"zh"} */ (app.lang)] ?? found.idea.en);
    const procedures = [...new Set(found.code.map(({ proc }) => proc))];
    byId("rule-code").replaceChildren(...procedures.map((proc) => html("figure", { class: "code" },
      html("figcaption", {}, procedureName(proc)),
      html("ol", {}, ...found.code.filter((line) => line.proc === proc).map((line) => codeLine(found.lines.textOf(line, app.lang)))))));
  }
}

/**
 * Time after which the cursor counts as being at rest, and after which the text about the previous position
 * is removed, in milliseconds.
 */
const REST_MS = 120;

class Next {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;
  /**
   * Timer that removes the text about the previous position.
   * @type {ReturnType<typeof setTimeout>|undefined}
   */
  #late = undefined;
  #movedAt = -REST_MS;

  /** @param {any} app @param {(rows: number[]) => import("./event.js").Context} context */
  constructor(app, context) {
    this.app = app;
    this.context = context;
    this.button = byId("story-next");
    this.step = byId("story-step");
    this.latest = new LatestRequest(app, "step");
    this.button.addEventListener("click", () => app.player.act("step-next", false));
  }

  /** Requests the next step for a new position of the cursor. */
  request() {
    const now = performance.now();
    const rested = now - this.#movedAt >= REST_MS;
    this.#movedAt = now;
    this.#late ??= setTimeout(() => setText(this.button, `${t("next")} → …`), REST_MS);
    clearTimeout(this.#timer);
    if (rested) this.#request();
    else this.#timer = setTimeout(() => this.#request(), REST_MS);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#known();
    this.latest.forget();
    this.button.hidden = true;
    setText(this.step, "");
  }

  /** Shows the number of the cursor's step, if the steps of the run are numbered. */
  count() {
    const { step, timeline } = this.app.store;
    const steps = timeline?.steps ?? -1;
    setText(this.step, steps < 1 || step < 0 ? "" : step === 0 ? t("step.none", { steps }) : t("step.of", { step, steps }));
  }

  #request() {
    const { run, seq } = this.app.store;
    this.latest.send({ run, seq }, (answer) => {
      if (run === this.app.store.run && seq === this.app.store.seq) this.#show(answer);
    });
  }

  /** Displays the next step. @param {any} answer answer of /api/step */
  #show({ events, names }) {
    const { store } = this.app;
    store.learn(names);
    this.#known();
    this.button.hidden = false;
    setDisabled(this.button, events.length === 0);
    if (events.length === 0) return setText(this.button, t("next.end"));
    const { tick, words, then } = nextWords(events, this.context(events));
    const when = tick === store.tick ? "" : `t = ${tick}: `;
    setText(this.button, `${t("next")} → ${when}${words}${then ? ` ${t("next.then", { then })}` : ""}`);
  }

  /** Cancels the pending removal of the text, which is up to date or has been removed. */
  #known() {
    clearTimeout(this.#late);
    this.#late = undefined;
  }
}
