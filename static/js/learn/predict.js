// @ts-check
/**
 * Predict: questions about what the run does next, from the cursor on. The server generates them from the student's
 * seed, the run, the tick, and the number of questions that the student has answered. Recent questions are not
 * repeated. The seed, the score and the recent questions are in the URL, so that a link continues with the same questions.
 */
import { requestJSON } from "../core/requests.js";
import { byId, setText } from "../core/dom.js";
import { questionStage } from "./question.js";
import { readProgress, saveReplies, storeProgress, storeReply } from "./progress.js";
import { t } from "../core/texts.js";

/** Number of recent questions that are not asked again. */
const SEEN_MAX = 19;
/** Matches the id of a question. */
const SEEN = /^[a-z]+-[0-9a-f]{8}$/;
/** Largest number of questions in a score. */
const SCORE_MAX = 1 << 20;

class Predict {
  /** Number of the last request for a question. */
  #number = 0;
  /** The tick after which the question was asked, since a question and its answer move the cursor; null: where the cursor is. @type {number|null} */
  #at = null;

  /** @param {any} app @param {HTMLElement} box @param {any} panes */
  constructor(app, box, panes) {
    this.app = app;
    this.panes = panes;
    this.stage = questionStage(app);
    this.score = { seed: freshSeed(), asked: 0, right: 0, seen: /** @type {string[]} */ ([]), ...readProgress("quiz", {}) };
    if (!Array.isArray(this.score.seen)) this.score.seen = []; // the browser's storage can hold anything
    this.tally = byId("quiz-score");
    this.seed = byId("quiz-seed");
    this.seed.addEventListener("change", () => this.#reseed());
    box.querySelector("[data-export]")?.addEventListener("click", saveReplies);
  }

  /** The seed, the score and the recent questions, for the URL. */
  get inURL() {
    const { seed, right, asked, seen } = this.score;
    /** @type {Record<string, string>} */
    const q = { seed, score: `${right}/${asked}` };
    if (seen.length > 0) q.seen = seen.join(".");
    if (this.#at !== null) q.at = String(this.#at);
    return q;
  }

  /** Begins to ask. @param {URLSearchParams} [linked] query of a link with a seed, a score and recent questions */
  open(linked) {
    this.app.editor.close(false);
    const seed = linked?.get("seed");
    const [right, asked] = (linked?.get("score") ?? "").split("/").map(Number);
    if (seed) this.score = { seed, asked: 0, right: 0, seen: (linked?.get("seen") ?? "").split(".").filter((id) => SEEN.test(id)).slice(-SEEN_MAX) };
    if (seed && Number.isInteger(right) && right >= 0 && right <= asked && asked <= SCORE_MAX) Object.assign(this.score, { right, asked });
    const at = Number.parseInt(linked?.get("at") ?? "", 10);
    this.#showScore();
    void this.#ask(seed && at >= -1 ? at : undefined);
  }

  close() {
    this.#number++;
    this.stage.close();
  }

  begin() {
    this.stage.close();
    void this.#ask();
  }

  /** Asks about the run after a tick, by default that of the cursor, and then from the start. @param {number} [at] */
  async #ask(at) {
    const number = ++this.#number;
    const current = () => number === this.#number;
    const { store } = this.app;
    this.#at = null;
    for (const tick of [at ?? (store.seq === 0 ? -1 : store.tick), -1]) {
      const question = await this.#fetch(tick, current);
      if (!current()) return;
      if (typeof question === "string") return this.stage.say(question);
      this.#at = tick;
      this.app.url.request();
      if (question.kind) return this.#show(question, current);
      if (tick < 0) this.score.seen = [];
    }
    this.stage.say(t("quiz.none"));
  }

  /** @param {number} tick @param {() => boolean} wanted */
  #fetch(tick, wanted) {
    const place = { run: this.app.store.run, t: tick, n: this.score.asked, seed: this.score.seed, seen: this.score.seen.join(",") };
    return requestJSON(this.app, "quiz", place, { wanted, busy: () => this.stage.say(t("compare.computing")) });
  }

  /** @param {import("./question.js").Question} question @param {() => boolean} current */
  async #show(question, current) {
    const next = { text: t("quiz.next"), act: () => void this.#ask(this.#at ?? undefined) };
    const reply = await this.stage.ask(question, { next, closed: () => this.panes.close("quiz") });
    if (!reply || !current()) return;
    this.#at = question.kind === "slot" ? null : question.from.tick; // the answer to another question moves the cursor
    this.score.seen = [...this.score.seen, question.id ?? ""].slice(-SEEN_MAX);
    if (!reply.revealed) this.score.asked++;
    if (!reply.revealed && reply.right) this.score.right++;
    storeProgress("quiz", this.score);
    this.#showScore();
    if (reply.revealed) return;
    const { scenario } = this.app.store.hello;
    storeReply(question, reply, { source: "predict", seed: this.score.seed, scenario: scenario.name, run: this.app.store.run });
  }

  /** Switches to another seed, which has questions and a score of its own. */
  #reseed() {
    const seed = this.seed.value.trim() || freshSeed();
    if (seed === this.score.seed) return void (this.seed.value = seed);
    this.score = { seed, asked: 0, right: 0, seen: [] };
    storeProgress("quiz", this.score);
    this.#showScore();
    void this.#ask();
  }

  #showScore() {
    this.seed.value = this.score.seed;
    setText(this.tally, this.score.asked === 0 ? "" : t("quiz.score", { right: this.score.right, asked: this.score.asked }));
    this.app.url.request();
  }
}

/** Returns a seed of four digits, which is easy to read aloud. */
function freshSeed() {
  return String(1000 + (crypto.getRandomValues(new Uint16Array(1))[0] % 9000));
}

/** Creates the pane. @param {any} app @param {HTMLElement} box @param {any} panes */
export const make = (app, box, panes) => new Predict(app, box, panes);
