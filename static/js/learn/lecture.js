// @ts-check
/**
 * Plays a lecture: shows one stop after another on the stage, with its note above the wheels. A stop opens a scenario, moves the
 * cursor and lays out the lanes. The user may explore everything in between, and return. Figures in the texts and answers
 * come from the run.
 */
import { fill, inLanguage, lectureInURL, readLecture, IN_URL } from "./lecture-file.js";
import { byId, button, html, setAttr, setText } from "../core/dom.js";
import { AddressError } from "../core/pack.js";
import { Presenter } from "./presenter.js";
import { requestJSON } from "../core/requests.js";
import { DROPPED, isLecture } from "../core/lecture-text.js";
import { draft } from "./draft.js";
import { questionStage } from "./question.js";
import { readProgress, storeProgress, storeReply } from "./progress.js";
import { readStored, writeStored } from "../core/storage.js";
import { t } from "../core/texts.js";

/** @typedef {import("./lecture-file.js").Lecture} Lecture */
/** @typedef {import("./lecture-file.js").Stop} Stop */
/** @typedef {{facts: Record<string, string>, ask?: import("./question.js").Question}} Answered the answer of /api/stop */

/** Maximum number of stops whose answers are kept. */
const ANSWERS_MAX = 8;
/** Number of stops after the one that is shown whose answers are asked in advance. */
const AHEAD = 3;

class Play {
  at = 0;
  /** The position at which the stop shows the lab, or null until it is there. @type {{run: string, seq: number, tick: number}|null} */
  #home = null;
  /** Resolves when the lab has arrived at the previous stop. @type {Promise<any>} */
  #navigation = Promise.resolve();
  /** The answers of stops, by what was asked. @type {Map<string, Promise<Answered|string>>} */
  #answers = new Map();
  /** Names of the timers that the stop follows but whose id is not known yet. */
  #follow = "";

  /** @param {any} app @param {string} name @param {Lecture} lecture */
  constructor(app, name, lecture) {
    this.app = app;
    this.name = name;
    this.lecture = lecture;
    this.box = byId("lecture");
    this.heading = byId("lecture-head");
    this.note = byId("lecture-note");
    this.questions = questionStage(app);
    this.presenter = new Presenter(this);
    this.dots = lecture.stops.map((stop, k) => {
      const words = t("lecture.stop", { n: k + 1, m: lecture.stops.length, title: inLanguage(stop.title, app.lang) });
      return button({ class: "stop-dot", "aria-label": words, title: words }, "", () => this.go(k));
    });
    byId("lecture-stops").replaceChildren(...this.dots.map((dot) => html("li", {}, dot)));
    byId("lecture-return").onclick = () => this.go(this.at);
    byId("lecture-back").onclick = () => this.go(this.at - 1);
    byId("lecture-next").onclick = () => this.go(this.at + 1);
    byId("lecture-present").onclick = () => this.presenter.open();
    byId("lecture-close").onclick = () => this.close();
    this.box.hidden = false;
    app.panes?.close("quiz");
    app.editor?.close(false);
    app.lectures.played = this;
  }

  /** The stop that is shown. @returns {Stop} */
  get stop() { return this.lecture.stops[this.at]; }

  /** Returns a text of a stop, filled with its figures as far as they are known. @param {Stop} stop @param {"title"|"note"|"script"|"question"|"why"} what @param {Answered|null} answered */
  words(stop, what, answered) { return fill(inLanguage(stop[what], this.app.lang), stop.facts ? answered?.facts ?? null : {}); }

  /** Shows a stop. @param {number} at index of the stop */
  go(at) {
    if (at < 0 || at >= this.lecture.stops.length) return;
    this.at = at;
    this.#home = null;
    const stop = this.stop;
    this.#note();
    this.#showTexts(null);
    this.#navigation = this.#navigation.then(() => (this.#shows(at) ? this.#open(stop, at) : undefined));
  }

  /** Stores the stop that is shown and, by stop, whether the replies to questions were right. @param {Record<number, boolean>} [right] of further ones */
  #note(right) {
    const name = `lecture.${this.name}`;
    storeProgress(name, { at: this.at, right: { ...readProgress(name, { right: {} }).right, ...right } });
  }

  /** Reports whether a stop is still the one to show. @param {number} at */
  #shows(at) { return this.app.lectures.played === this && this.at === at; }

  /** Shows the texts of the stop. @param {Answered|null} answered */
  #showTexts(answered) {
    const { stop } = this;
    setAttr(this.app.main, "data-lecture", "moving");
    setText(this.heading, this.words(stop, "title", answered));
    setText(this.note, this.words(stop, "note", answered));
    this.dots.forEach((dot, k) => (k === this.at ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current")));
    byId("lecture-back").toggleAttribute("disabled", this.at === 0);
    byId("lecture-next").toggleAttribute("disabled", this.at === this.lecture.stops.length - 1);
    if (!answered) this.questions.close();
    this.presenter.show(answered);
  }

  /** Opens a stop in the lab. @param {Stop} stop @param {number} at */
  async #open(stop, at) {
    const { app } = this;
    const early = stop.edit || stop.run ? null : this.#answer(stop);
    if (stop.view === "compare" && !stop.ask) app.panes?.open("compare");
    else app.panes?.close("compare"); // until the question is answered, since the curves answer it
    if (await this.#seek(stop) || !this.#shows(at)) return;
    this.#layOut();
    this.#follow = stop.follow ?? "";
    this.#followAgain();
    const { run, seq, tick } = app.store;
    this.#home = { run, seq, tick };
    byId("lecture-return").hidden = true;
    app.loop.request();
    app.url.request();
    const answered = await (early ?? this.#answer(stop));
    if (!this.#shows(at)) return;
    if (typeof answered === "string") return app.problem(answered);
    this.#showTexts(answered);
    if (answered.ask) this.#question(stop, at, answered.ask, answered);
    setAttr(app.main, "data-lecture", at + 1);
    for (const next of this.lecture.stops.slice(at + 1, at + 1 + AHEAD)) { // so that their runs are computed when they are shown
      if (!next.edit && !next.run) await this.#answer(next);
      if (!this.#shows(at)) return;
    }
  }

  /** Moves the lab to the instant of a stop. Returns the fault if it can't. @param {Stop} stop */
  async #seek(stop) {
    const { app } = this;
    const { scenario } = app.store.hello ?? {};
    const displayed = stop.run ? app.store.run.startsWith(stop.run) : scenario?.name === stop.scenario && !scenario.custom;
    if (app.store.player.playing) await app.send("pause");
    const tick = stop.tick === undefined ? {} : { tick: stop.tick };
    const { scenarios } = this.lecture; // a lecture in a file has runs in place of scenarios
    const text = !stop.run ? { scenario: stop.scenario } : scenarios ? { text: JSON.stringify(scenarios[stop.run]) } : { run: stop.run };
    let fault = displayed ? null : await app.send("load", { ...text, ...tick });
    if (!fault && (displayed || stop.seq !== undefined)) fault = await app.send("seek", stop.seq === undefined ? tick : { seq: stop.seq });
    if (fault || !stop.edit) return fault;
    const { op, timer } = stop.edit;
    return app.edit("op", { ...stop.edit, tick: stop.tick }, { key: `branch.${op}`, values: { name: timer, tick: stop.tick } });
  }

  /** Lays out the lanes as the stop says. */
  #layOut() {
    const { lane = "", lanes = [], view } = this.stop;
    this.app.lanes.show(lanes);
    this.app.views.layOut(view === "stage", lane || lanes[0]);
    this.app.lanes.focus(view === "stage" ? "" : lane);
  }

  /** Follows the timer of the stop as soon as the page knows its id. */
  #followAgain() {
    const { store, follow } = this.app;
    if (!this.#follow) return void (follow.id && !this.#home && follow.choose(0));
    for (const [id, name] of store.names) {
      if (name !== this.#follow) continue;
      this.#follow = "";
      follow.choose(id);
      return;
    }
  }

  /** Returns what the server answers about a stop. @param {Stop} stop @returns {Promise<Answered|string>} */
  #answer(stop) {
    const { facts, ask, options, answers, tick = -1 } = stop;
    if (answers) return Promise.resolve(answers[this.app.lang]);
    if (!facts && !ask) return Promise.resolve({ facts: {} });
    /** @type {Record<string, string>} */
    const where = stop.edit || stop.run ? { run: this.app.store.run } : { scenario: stop.scenario ?? "" };
    const query = { ...where, t: tick, queries: JSON.stringify({ facts, ask, options }) };
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known) return known;
    const answering = requestJSON(this.app, "stop", query, { wanted: () => this.app.lectures.played === this });
    this.#answers.set(key, answering);
    if (this.#answers.size > ANSWERS_MAX) this.#answers.delete(/** @type {string} */ (this.#answers.keys().next().value));
    answering.then((answered) => { if (typeof answered === "string") this.#answers.delete(key); });
    return answering;
  }

  /** Asks the question of a stop. @param {Stop} stop @param {number} at @param {import("./question.js").Question} ask @param {Answered} answered */
  async #question(stop, at, ask, answered) {
    const { app, questions, lecture } = this;
    const compare = { text: t("lecture.compare"), act: () => { questions.close(); app.panes.open("compare"); } };
    const next = stop.view === "compare" && app.panes ? compare : at + 1 < lecture.stops.length ? { text: t("lecture.next"), act: () => this.go(at + 1) } : undefined;
    const reply = await questions.ask({ ...ask, why: this.words(stop, "why", answered) }, { words: this.words(stop, "question", answered), next, here: this.#isAt(ask.from) });
    if (!reply || reply.revealed) return;
    this.#note({ [at]: reply.right });
    storeReply(ask, reply, { source: `lecture ${this.name} ${at + 1}`, seed: "", scenario: stop.scenario ?? "", run: app.store.run });
  }

  /** Reports whether the lab is still at the end of the stop's tick, and a question is asked there. @param {import("./question.js").Place} from */
  #isAt({ tick, seq }) {
    return seq === 0 && this.stop.seq === undefined && tick === (this.stop.tick ?? -1) && this.#atHome;
  }

  /** Whether the lab is where the stop has shown it. */
  get #atHome() {
    const { store } = this.app;
    const home = this.#home;
    return home !== null && home.run === store.run && home.seq === store.seq && home.tick === store.tick;
  }

  /** Handles the display of another run: on the way to a stop, its lanes are the only ones that are drawn. */
  begin() {
    if (this.#home?.run === this.app.store.run) this.#layOut();
    else this.app.lanes.show(this.#home ? [] : this.stop.lanes ?? []);
  }

  /** Offers to return if the lab is not where the stop is. */
  moved() {
    this.#followAgain();
    const asking = this.questions.isOpen && this.app.main.dataset.asking !== "seen"; // a question moves the cursor by itself
    byId("lecture-return").hidden = !this.#home || asking || this.#atHome;
  }

  draw() { if (this.stop.view !== "stage" && this.#home?.run === this.app.store.run) this.app.lanes.focus(this.stop.lane ?? ""); }

  /** Ends the lecture. The lab stays where it is. */
  close() {
    const { app } = this;
    app.lectures.played = null;
    this.presenter.close();
    this.questions.close();
    this.box.hidden = true;
    delete app.main.dataset.lecture;
    app.lanes.show([]);
    app.lanes.focus("");
    app.layoutChanged();
    /** @type {HTMLElement|null} */ (document.querySelector("[data-sheet=lectures]"))?.focus();
  }
}

/**
 * Plays a lecture in the lab.
 * @param {any} app @param {string} name name of a built-in lecture or of one of this browser, "mine" or "opened"; a fragment of a URL; the text of a file; or
 *   DROPPED, a file that was dropped on the page before
 * @param {number} stop index of the first stop, or −1 for that at which the user left the lecture
 */
export async function open(app, name, stop) {
  const lecture = await lectureNamed(app, name).catch((error) => {
    if (!(error instanceof AddressError)) throw error;
    return t("lecture.bad", { why: t(error.key, error.values) });
  });
  if (typeof lecture === "string") return app.problem(lecture);
  if (lecture.stops.length === 0) return app.problem(t("lecture.empty"));
  app.problem("");
  const called = name.startsWith(IN_URL) || name === DROPPED || isLecture(name) ? draft.keep(lecture) : name;
  app.lectures.played?.close();
  const { at } = readProgress(`lecture.${called}`, { at: 0 });
  const first = stop >= 0 ? stop : at < lecture.stops.length - 1 ? at : 0;
  new Play(app, called, lecture).go(Math.min(first, lecture.stops.length - 1));
}

/** Returns a lecture, or a line with the reason why there is none. @param {any} app @param {string} name @returns {Promise<Lecture|string>} */
async function lectureNamed(app, name) {
  if (app.lectures.given) return app.lectures.given;
  if (name.startsWith(IN_URL)) return lectureInURL(name);
  if (isLecture(name)) return readLecture(name);
  if (name === "mine" || name === "opened") return draft.read(name) ?? t("lecture.gone");
  if (name === DROPPED) {
    const text = readStored(DROPPED, "sessionStorage");
    writeStored(DROPPED, "", "sessionStorage");
    return text === null ? t("lecture.gone") : readLecture(text);
  }
  const file = await requestJSON(app, "lecture", { name });
  return typeof file === "string" ? file : readLecture(JSON.stringify(file));
}
