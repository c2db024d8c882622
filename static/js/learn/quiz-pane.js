// @ts-check
/**
 * The prediction quiz. The server generates questions from the run at the cursor, and grades the answers. The
 * next question depends on the student's seed, the run, the tick, and the number of questions that the
 * student has answered. Recent questions are not repeated.
 */
import { QuestionForm } from "./question-form.js";
import { askServer } from "./ask-server.js";
import { button, html, setText } from "../core/dom.js";
import { storeProgress, readProgress } from "./progress.js";
import { storeAnswer, offerExport } from "./score.js";
import { questionWords } from "./labels.js";
import { showParts } from "./hidden-parts.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";

/** Number of recent questions that are not asked again. */
const SEEN_MAX = 19;

/** Time for which the cursor must be at rest before a question is requested, in milliseconds. */
const REST_MS = 250;

class QuizPane {
  /** @type {QuestionForm|null} */
  #form = null;
  #asked = ""; // run and tick of the displayed question
  #requestNumber = 0;
  #open = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #restTimer = undefined;

  /** @param {any} app @param {HTMLElement} box */
  constructor(app, box) {
    this.app = app;
    this.score = { seed: freshSeed(), asked: 0, right: 0, seen: /** @type {string[]} */ ([]), ...readProgress("quiz", {}) };
    if (!Array.isArray(this.score.seen)) this.score.seen = []; // the browser's storage can hold anything
    this.problem = /** @type {Element} */ (box.querySelector("[data-problem]"));
    this.body = /** @type {HTMLElement} */ (box.querySelector(".guide-body"));
    this.tally = /** @type {Element} */ (box.querySelector("#quiz-score"));
    this.seed = /** @type {HTMLInputElement} */ (box.querySelector("#quiz-seed"));
    this.seed.value = this.score.seed;
    this.seed.addEventListener("change", () => this.#reseed());
    offerExport(box);
    this.#showScore();
  }

  open() {
    this.#open = true;
    this.#form?.hide();
    this.#requestAtRest();
  }

  close() {
    this.#open = false;
    showParts();
    clearTimeout(this.#restTimer);
  }

  begin() {
    this.#asked = "";
    this.#requestAtRest();
  }

  moved() { this.#requestAtRest(); }

  /** Requests a question after a change of the playback state. @param {any} message */
  received(message) { if (message.kind === "player") this.#requestAtRest(); }

  /** Returns the position that the question is about. */
  get #place() {
    const { run, tick, seq } = this.app.store;
    return `${run}/${seq === 0 ? -1 : tick}`;
  }

  /**
   * Requests a question when the cursor is at rest. An answered question remains until the user requests the
   * next one.
   */
  #requestAtRest() {
    clearTimeout(this.#restTimer);
    if (!this.#open || this.#form?.answered || this.#asked === this.#place) return;
    this.#restTimer = setTimeout(() => { if (!this.app.store.player.playing) this.#request(); }, REST_MS);
  }

  /**
   * Requests a question about the cursor's position.
   * @param {boolean} [focus] whether to focus the question
   */
  async #request(focus = false) {
    const number = ++this.#requestNumber;
    const [run, tick] = (this.#asked = this.#place).split("/");
    const place = { run, t: tick, n: this.score.asked, seed: this.score.seed, seen: this.score.seen.join(",") };
    const question = await askServer(this.app, "quiz", place, [], {
      wanted: () => number === this.#requestNumber && this.#open,
      busy: () => setText(this.problem, t("compare.computing")),
    });
    if (number !== this.#requestNumber) return;
    if (!this.#open) return void (this.#asked = ""); // the pane was closed meanwhile, so nothing must be hidden
    if (this.#form?.answered) return void (this.#asked = ""); // the displayed question was answered meanwhile and remains
    setText(this.problem, "");
    this.#form = null;
    showParts();
    if (typeof question === "string" || !question.kind) return this.body.replaceChildren(html("p", { "aria-live": "polite" }, typeof question === "string" ? question : t("quiz.none")));
    const grade = (/** @type {number[]} */ picks) => askServer(this.app, "quiz/answer", place, picks, { wanted: () => this.#open });
    const see = (/** @type {number} */ at) => this.app.send("seek", { tick: at });
    this.#remember(question.id);
    const { tick: length, name } = this.app.store.hello.scenario;
    const words = questionWords(question, tickUnit(length));
    const about = { source: "quiz", seed: this.score.seed, scenario: name, run, t: question.at, kind: question.kind, lane: question.lane, timer: question.timer, question: words };
    const form = new QuestionForm(words, question, grade, (graded, chosen, answer) => this.#graded(form, { ...about, chosen, answer, right: graded.right, time: new Date().toISOString() }), see);
    this.#form = form;
    this.body.replaceChildren(form.form);
    if (focus) form.form.querySelector("input")?.focus();
  }

  /** Stores the id of a question that is shown, so that it is not asked again soon. @param {string} id */
  #remember(id) {
    this.score.seen = [...this.score.seen, id].slice(-SEEN_MAX);
    storeProgress("quiz", this.score);
  }

  /**
   * Adds an answer to the score, stores it, and offers the next question. Does nothing if the question is no
   * longer displayed.
   * @param {QuestionForm} form the question @param {import("./score.js").Answered} answered
   */
  #graded(form, answered) {
    if (form !== this.#form) return; // requested for the previous student
    this.score.asked++;
    if (answered.right) this.score.right++;
    storeProgress("quiz", this.score);
    storeAnswer(answered);
    this.#showScore();
    const next = button({ class: "primary" }, t("quiz.next"), () => this.#requestNext(true));
    form.form.append(next);
    next.focus();
  }

  /** Switches to another seed, which has questions and a score of its own. */
  #reseed() {
    const seed = this.seed.value.trim() || freshSeed();
    this.seed.value = seed;
    if (seed === this.score.seed) return;
    this.score = { seed, asked: 0, right: 0, seen: [] };
    storeProgress("quiz", this.score);
    this.#showScore();
    this.#requestNext();
  }

  /**
   * Requests the next question, even if the displayed one is not answered.
   * @param {boolean} [focus] whether to focus the question
   */
  #requestNext(focus) {
    this.#form = null;
    this.#request(focus);
  }

  #showScore() {
    setText(this.tally, t("quiz.score", { right: this.score.right, asked: this.score.asked }));
  }
}

/** Returns a seed of four digits, which is easy to read aloud. */
function freshSeed() {
  return String(1000 + (crypto.getRandomValues(new Uint16Array(1))[0] % 9000));
}

/** Creates the pane. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new QuizPane(app, box);
