// @ts-check
/**
 * The guided tours: a list of tours, and the current tour as a card above the lanes. A step of a tour opens a
 * scenario, moves the cursor, dims the irrelevant lanes, and may ask a question. The texts and answers come
 * from the server, which computes every number in them.
 */
import { askServer } from "./ask-server.js";
import { button, html, setText } from "../core/dom.js";
import { storeProgress, readProgress } from "./progress.js";
import { questionStage } from "./question.js";
import { storeAnswer, offerExport } from "./score.js";
import { t } from "../core/texts.js";

class LessonsPane {
  /** @type {any} the displayed tour; null while the list is displayed */
  #lesson = null;
  #stepIndex = 0;
  /** @type {string[]} ids of the lanes that are not dimmed; empty if none is dimmed */
  #lanes = [];
  #opened = false;
  /** Resolves when the scenario of the previous step is open. @type {Promise<any>} */
  #navigation = Promise.resolve();

  /** @param {any} app @param {HTMLElement} box @param {any} panes */
  constructor(app, box, panes) {
    this.app = app;
    this.panes = panes;
    this.problem = /** @type {Element} */ (box.querySelector("[data-problem]"));
    this.body = /** @type {HTMLElement} */ (box.querySelector(".guide-body"));
    this.where = /** @type {Element} */ (box.querySelector(".guide-where"));
    this.steer = /** @type {Element} */ (box.querySelector(".guide-steer"));
    this.stage = questionStage(app);
    offerExport(box);
  }

  open() {
    this.#dimOtherLanes(this.#lanes);
    if (this.#opened) return;
    this.#opened = true;
    this.#showLessons();
  }

  close() {
    this.#dimOtherLanes([]);
    this.stage.close();
  }

  begin() {
    this.#dimOtherLanes(this.#lanes);
    this.#enlarge();
  }

  draw() {
    this.#dimOtherLanes(this.#lanes);
    return false;
  }

  /** Handles the keys for the next and the previous step. @param {string} action */
  act(action) {
    if (!this.#lesson || !/^guide-(next|back)$/.test(action)) return false;
    this.#showStep(this.#stepIndex + (action === "guide-next" ? 1 : -1));
    return true;
  }

  /** Sends a request to the server and shows its failure. @param {string} path @param {Record<string, string|number>} query */
  async #request(path, query) {
    const answer = await askServer(this.app, path, query, {
      wanted: () => this.app.panes.isOpen("lessons"),
      busy: () => setText(this.problem, t("compare.computing")),
    });
    setText(this.problem, typeof answer === "string" ? answer : "");
    return typeof answer === "string" ? null : answer;
  }

  /** Shows the list of tours. */
  async #showLessons() {
    this.#lesson = null;
    this.#lanes = [];
    this.#dimOtherLanes([]);
    this.stage.close();
    const lessons = await this.#request("lessons", {});
    if (!lessons) return void (this.#opened = false);
    const list = html("ol", { class: "lesson-list" });
    for (const lesson of lessons) {
      const pick = button({ class: "lesson-pick" }, html("b", {}, lesson.title), () => this.#openLesson(lesson.name));
      pick.append(html("span", {}, lesson.summary), html("small", {}, progressWords(lesson)));
      list.append(html("li", {}, pick));
    }
    this.body.replaceChildren(list);
    setText(this.where, "");
    this.steer.replaceChildren();
  }

  /**
   * Opens a tour at the step at which the user left it, or at the first step if that was the last one.
   * @param {string} name
   */
  async #openLesson(name) {
    const lesson = await this.#request("lesson", { name });
    if (!lesson) return;
    this.#lesson = lesson;
    const { at } = readProgress(name, { at: 0, right: {} });
    this.#showStep(at < lesson.steps.length - 1 ? at : 0);
  }

  /**
   * Displays a step as a card, and shows its scenario and its tick in the lab. After the last step, displays
   * the list of tours.
   * @param {number} at index of the step, from 0
   */
  #showStep(at) {
    const { steps, name } = this.#lesson;
    if (at < 0) return;
    if (at >= steps.length) return void this.#showLessons();
    this.#stepIndex = at;
    const step = steps[at];
    const progress = readProgress(name, { at: 0, right: {} });
    storeProgress(name, { ...progress, at });
    this.#openStepInOrder(step);
    this.#showCard(step);
  }

  /**
   * Moves to a step when the scenario of the previous step is open. Otherwise the seek could apply to that
   * scenario.
   * @param {any} step
   */
  #openStepInOrder(step) {
    this.#navigation = this.#navigation.then(() => (step === this.#lesson?.steps[this.#stepIndex] ? this.#openStep(step) : undefined));
  }

  /** Opens a step's scenario and moves the cursor. @param {any} step */
  async #openStep(step) {
    const { app } = this;
    const { scenario } = app.store.hello ?? {};
    const displayed = scenario?.name === step.scenario && !scenario.custom;
    const where = step.tick < 0 ? {} : { tick: step.tick };
    this.#lanes = step.lanes ?? [];
    if (displayed && app.store.player.playing) await app.send("pause");
    if (displayed) app.send("seek", where); // not awaited: the run may not be computed that far
    else await app.send("load", { scenario: step.scenario, ...where });
    if (step.pane === "compare") this.panes.open("compare");
    else this.panes.close("compare");
    if (this.panes.isOpen("lessons")) {
      this.#dimOtherLanes(this.#lanes);
      this.#enlarge();
    }
    app.loop.ask();
  }

  /** Displays a step as a card. @param {any} step */
  #showCard(step) {
    const { title, steps } = this.#lesson;
    const heading = html("h3", { tabindex: "-1" }, step.title);
    const parts = [html("div", { class: "guide-text" }, heading, html("p", {}, step.text))];
    this.stage.close();
    if (step.ask) parts.push(button({ class: "primary" }, step.question, () => this.#ask(step, this.#stepIndex)));
    this.body.replaceChildren(...parts);
    setText(this.where, t("lesson.where", { title, n: this.#stepIndex + 1, m: steps.length }));
    this.steer.replaceChildren(...this.#buttons());
    heading.focus({ preventScroll: true });
    this.body.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** Asks the question of a step. @param {any} step @param {number} at index of the step */
  async #ask({ ask, question, scenario }, at) {
    const { name } = this.#lesson;
    await this.#navigation; // the lanes are those of the step
    const next = { text: t("lesson.next"), act: () => this.#showStep(at + 1) };
    const reply = await this.stage.ask(ask, { words: question, next, closed: () => {} });
    if (!reply || reply.revealed) return;
    this.#answered(name, at, reply.right);
    storeAnswer({ time: new Date().toISOString(), source: `lesson ${name} ${at + 1}`, seed: "", scenario, run: "", t: ask.from.tick, kind: ask.kind, lane: ask.targets[0].lane, timer: ask.timer, question, chosen: reply.chosen, answer: reply.answer, right: reply.right });
  }

  /** Creates the buttons for navigation. */
  #buttons() {
    const back = button({}, t("lesson.back"), () => this.#showStep(this.#stepIndex - 1));
    back.toggleAttribute("disabled", this.#stepIndex === 0);
    const last = this.#stepIndex === this.#lesson.steps.length - 1;
    return [button({}, t("lesson.list"), () => this.#showLessons()), back, button({ class: "primary" }, t(last ? "lesson.done" : "lesson.next"), () => this.#showStep(this.#stepIndex + 1))];
  }

  /**
   * Stores whether the question of a step was answered correctly.
   * @param {string} name @param {number} at @param {boolean} right
   */
  #answered(name, at, right) {
    const progress = readProgress(name, { at: 0, right: {} });
    storeProgress(name, { ...progress, right: { ...progress.right, [at]: right } });
  }

  /** Dims the lanes that the step does not concern. @param {string[]} lanes */
  #dimOtherLanes(lanes) {
    const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section[data-lane]")]);
    for (const section of sections) section.classList.toggle("aside", lanes.length > 0 && !lanes.includes(section.dataset.lane ?? ""));
  }

  /**
   * If one lane is shown large and it is dimmed, shows the first lane that the step concerns large instead.
   * The user can then choose another lane.
   */
  #enlarge() {
    const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section[data-lane]")]);
    const first = sections.findIndex((section) => section.dataset.lane === this.#lanes[0]);
    if (first >= 0 && sections.some((section) => section.matches(".large.aside"))) this.app.views.act(`large:${first + 1}`);
  }
}

/** Describes the progress in a tour. @param {{name: string, steps: number}} lesson */
function progressWords({ name, steps }) {
  const { at, right } = readProgress(name, { at: -1, right: /** @type {Record<string, boolean>} */ ({}) });
  if (at < 0) return t("lesson.new", { m: steps });
  const good = Object.values(right).filter(Boolean).length;
  return t("lesson.progress", { n: at + 1, m: steps, good, all: Object.keys(right).length });
}

/** Creates the pane. @param {any} app @param {HTMLElement} box @param {any} panes */
export const make = (app, box, panes) => new LessonsPane(app, box, panes);
