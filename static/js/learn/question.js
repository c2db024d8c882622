// @ts-check
/**
 * A question on the wheels: one line above the lanes, and the choices and buttons in place of the player. While it is
 * open, the page shows only the lanes that the question is about, without whatever could answer it. Predict and lectures
 * use it: `questionStage(app).ask(question)`. The question contains its answer, which is hidden, not secret. Where the
 * answer is a place, the reader points at it; see pointing.js.
 */
import { button, byId, html, setAttr, setText, svg } from "../core/dom.js";
import { Pointing } from "./pointing.js";
import { optionLabel, questionWords } from "./labels.js";
import { outlineOf } from "../picture/spots.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";

/**
 * @typedef {object} Choice the answer of a question or of a lane
 * @property {string[]} options @property {string} answer
 * @property {string[]} [reasons] why each option is wrong; "" for the right one
 * @property {number} [seq] number of the event that is the answer
 * @property {number} [timerId] id of the timer of that event
 * @property {number[]} [event] that event as a row
 * @typedef {{tick: number, seq: number}} Place position after event `seq` or, if that is 0, at the end of the tick
 * @typedef {Choice & {kind: string, timer: string, about?: number, at: number, op?: {at: number, delay: number}, id?: string, hides: string[], why?: string, from: Place, see: Place, targets: (Choice & {lane: string})[]}} Question
 * @typedef {object} Use
 * @property {string} [words] text of the question; by default that of its kind
 * @property {{text: string, act: () => void}} [next] the button after the answer
 * @property {boolean} [here] whether the cursor is at the position of the question
 * @property {() => void} [closed] called when the reader closes the question
 * @typedef {{right: boolean, revealed: boolean, words: string, chosen: string, answer: string}} Reply
 *   chosen and answer are texts; revealed: whether the answer was shown without one by the reader
 */

/** Time for which the page waits for the position of a question, in milliseconds. */
const ARRIVE_MS = 10_000;
/** Pause between the reader's answer and the real timer, in milliseconds. */
const PAUSE_MS = 450;
/** Kinds of questions without places whose answer is at an instant. */
const SHOWN = new Set(["when", "rounds", "moves", "fires", "cost", "live", "nextcostliest", "worst", "worstat"]);
/** Duration for which a slot flashes, in milliseconds. */
const FLASH_MS = 2500;

class QuestionStage {
  /** @type {Question|null} */
  #question = null;
  /** @type {Use} */
  #use = {};
  /** @type {Pointing[]} */
  #wheels = [];
  /** The reader's choice in a question without places; "" until there is one. */
  #chosen = "";
  #answered = false;
  #lettered = false;
  #revealed = false;
  /** @type {(reply: Reply|null) => void} */
  #resolve = () => {};

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.box = byId("ask");
    this.bar = byId("ask-bar");
    this.words = byId("ask-words");
    this.sub = byId("ask-sub");
    this.choices = byId("ask-choices");
    this.verdict = byId("ask-verdict");
    this.letters = byId("ask-letters");
    this.reveal = byId("ask-reveal");
    this.see = byId("ask-see");
    this.next = byId("ask-next");
    this.letters.addEventListener("click", () => this.#letter(!this.#lettered));
    this.reveal.addEventListener("click", () => this.#reveal());
    this.see.addEventListener("click", () => this.#see());
    this.next.addEventListener("click", () => this.#use.next?.act());
    byId("ask-close").addEventListener("click", () => this.#leave());
    document.addEventListener("keydown", (event) => this.#key(event), true);
    for (const name of ["click", "pointermove", "pointerover"]) byId("lanes").addEventListener(name, (/** @type {Event} */ event) => this.#keep(event), true);
  }

  /** Whether a question is shown, answered or not. */
  get isOpen() { return this.#question !== null; }

  /** Whether a question waits for its answer. */
  get #waits() { return this.#question !== null && !this.#answered; }

  /**
   * Asks a question. The promise resolves when it is answered, or with null if it is closed before.
   * @param {Question} question @param {Use} [use] @returns {Promise<Reply|null>}
   */
  async ask(question, use = {}) {
    this.close();
    this.#question = question;
    this.#use = use;
    this.#answered = this.#revealed = false;
    this.#chosen = "";
    this.app.main.dataset.hides = question.hides.join(" ");
    this.app.main.dataset.asks = question.kind;
    this.#show("open");
    setText(this.words, use.words ?? questionWords(question, tickUnit(this.app.store.length)));
    setText(this.sub, "");
    this.verdict.replaceChildren();
    const lanes = question.targets.map(({ lane }) => lane);
    for (const { section, info } of this.app.lanes.cards) section.classList.toggle("asked", lanes.includes(info.id));
    this.app.lanes.stale = true;
    this.app.follow.choose(question.about ?? 0);
    if (!await this.#arrive(question.from, use.here) || this.#question !== question) return null;
    const answer = new Promise((resolve) => { this.#resolve = resolve; });
    if (question.kind === "slot") this.#point(question);
    else this.#choose(question);
    this.#hint();
    this.#letter(this.#lettered);
    this.words.focus({ preventScroll: true });
    return answer;
  }

  /** Shows a line of text in place of a question. @param {string} text */
  say(text) {
    this.close();
    this.#show("said");
    setText(this.words, text);
    setText(this.sub, "");
  }

  /** Ends the question, and shows the page as it was. */
  close() {
    this.#question = null;
    this.#leaveLanes();
    this.choices.replaceChildren();
    delete this.app.main.dataset.hides;
    this.#show("");
    this.app.lanes.stale = true;
    this.app.loop.request();
    this.#resolve(null);
  }

  /** Shows the lanes without the question. */
  #leaveLanes() {
    for (const wheel of this.#wheels) wheel.remove();
    this.#wheels = [];
    for (const { section } of this.app.lanes.cards) section.classList.remove("asked");
  }

  /** Keeps an event from the cards and lists of the laboratory while they are not shown. @param {Event} event */
  #keep(event) {
    if (!this.isOpen || this.app.main.dataset.asking === "seen") return;
    const { target } = event;
    if (target instanceof Element && !target.closest("[role=application], .ask-foot")) event.stopPropagation();
  }

  #leave() {
    const { closed } = this.#use;
    this.close();
    closed?.();
  }

  /** Shows a state of the question: "open", "answered", "seen", "said", or "" for none. @param {string} state */
  #show(state) {
    const { main } = this.app;
    if (state) main.dataset.asking = state;
    else delete main.dataset.asking;
    main.classList.toggle("asks", Boolean(state) && state !== "seen");
    this.box.hidden = !state || state === "seen";
    this.bar.hidden = !state;
    this.choices.hidden = state !== "open" && state !== "answered";
    this.verdict.hidden = state !== "answered" && state !== "seen";
    this.letters.hidden = this.reveal.hidden = state !== "open";
    this.see.hidden = state !== "answered";
    this.next.hidden = !this.#use.next || (state !== "answered" && state !== "seen");
    setText(this.next, this.#use.next?.text ?? "");
  }

  /** Moves the cursor to a position, unless it is there, and waits until it is drawn. Returns false if the page does not reach it. @param {Place} place @param {boolean} [here] */
  async #arrive({ tick, seq }, here = false) {
    const { app } = this;
    if (app.store.player.playing) await app.send("pause");
    setAttr(app.main, "data-settled", "false"); // until the lanes are drawn as the question needs them
    if (!here && await app.send("seek", seq > 0 ? { seq } : tick < 0 ? {} : { tick })) return false;
    for (const end = performance.now() + ARRIVE_MS; performance.now() < end;) {
      const there = seq > 0 ? app.store.seq === seq : tick < 0 ? app.store.seq === 0 : app.store.tick === tick;
      if (there && app.main.dataset.settled === "true") return true;
      app.loop.request();
      await new Promise(requestAnimationFrame);
    }
    return false;
  }

  /** Asks for places. @param {Question} question */
  #point(question) {
    const op = question.op ?? { at: question.at, delay: 0 };
    this.#wheels = question.targets.map((target) => {
      /** @type {Pointing} */
      const wheel = new Pointing(this.app, target, op, (text) => (text ? setText(this.sub, text) : this.#hint()), () => this.#placed(wheel));
      return wheel;
    });
  }

  /** Shows the choices in one row. @param {Question} question */
  #choose(question) {
    this.choices.replaceChildren(...question.options.map((value, k) =>
      button({ class: "choice", "data-value": value, "data-letter": "ABCD"[k] }, optionLabel(question.kind, value), () => this.#pick(value))));
  }

  #hint() {
    const open = this.#wheels.some(({ value, shown }) => !value && !shown);
    if (!this.#waits) return;
    setText(this.sub, t(this.#wheels.length === 0 ? "quiz.hint.choose" : open && this.#wheels.some(({ points }) => points) ? "quiz.hint.point" : "quiz.hint.below"));
  }

  /** Shows the letters A to D, or removes them. @param {boolean} on */
  #letter(on) {
    this.#lettered = on;
    setAttr(this.letters, "aria-pressed", String(on));
    this.choices.classList.toggle("lettered", on);
    for (const wheel of this.#wheels) wheel.letter(on);
  }

  /** Takes the answer of a lane: the real timer moves there, in this lane only. @param {Pointing} wheel */
  async #placed(wheel) {
    const question = this.#question;
    wheel.drop();
    setText(this.sub, t("quiz.waits"));
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    if (this.#question !== question) return;
    const verdict = wheel.show();
    setText(this.sub, this.#wheels.length > 1 ? `${wheel.target.lane}: ${verdict}` : verdict);
    if (this.#wheels.every(({ shown }) => shown)) this.#finish();
  }

  /** Takes a choice. @param {string} value */
  #pick(value) {
    if (!this.#waits || this.#chosen) return;
    this.#chosen = value;
    this.#finish();
  }

  /** Shows the answer without one by the reader, as in a hall. */
  #reveal() {
    if (!this.#waits || (this.#wheels.length === 0 && !this.choices.hasChildNodes())) return; // the cursor is on its way
    this.#revealed = true;
    for (const wheel of this.#wheels) if (!wheel.value) wheel.show();
    if (this.#wheels.every(({ shown }) => shown)) this.#finish();
  }

  #finish() {
    const question = this.#question;
    if (!question || this.#answered) return;
    this.#answered = true;
    delete this.app.main.dataset.hides;
    this.app.lanes.stale = true;
    this.app.loop.request();
    const reply = this.#reply(question);
    this.#mark(question);
    const explained = this.#reasons(question, reply);
    setText(this.sub, explained);
    this.#verdict(question, reply);
    this.#show("answered");
    if (SHOWN.has(question.kind) && question.answer !== "never") void this.#arrive({ tick: question.see.tick, seq: question.seq ?? 0 }); // so that the wheel shows it
    (this.next.hidden ? this.see : this.next).focus({ preventScroll: true });
    this.#resolve(reply);
  }

  /** @param {Question} question @returns {Reply} */
  #reply(question) {
    const label = (/** @type {string} */ value) => (value ? optionLabel(question.kind, value) : "");
    const right = question.kind === "slot" ? this.#wheels.every((wheel) => wheel.right) : this.#chosen === question.answer;
    const listed = (/** @type {(wheel: Pointing) => string} */ of) => this.#wheels.map((wheel) => (this.#wheels.length > 1 ? `${wheel.target.lane}: ${of(wheel)}` : of(wheel))).join("; ");
    return {
      right, revealed: this.#revealed, words: this.words.textContent ?? "",
      chosen: this.#wheels.length > 0 ? listed((wheel) => (wheel.value ? wheel.name(wheel.value) : "")) : label(this.#chosen),
      answer: this.#wheels.length > 0 ? listed((wheel) => wheel.name(wheel.target.answer)) : label(question.answer),
    };
  }

  /** Marks the choices as right or wrong. @param {Question} question */
  #mark(question) {
    for (const choice of /** @type {NodeListOf<HTMLButtonElement>} */ (this.choices.querySelectorAll(".choice"))) {
      const value = choice.dataset.value;
      choice.disabled = true;
      choice.classList.toggle("right", value === question.answer);
      choice.classList.toggle("wrong", value === this.#chosen && value !== question.answer);
    }
  }

  /** Explains the answer in one line. @param {Question} question @param {Reply} reply */
  #reasons(question, reply) {
    if (question.why) return question.why;
    if (question.op && question.kind === "slot") return t("quiz.due", { at: question.op.at, delay: question.op.delay, due: question.op.at + question.op.delay });
    if (reply.right) return t("quiz.is", { where: reply.answer });
    const wrong = (/** @type {string} */ value) => (this.#chosen ? value === this.#chosen : value !== question.answer);
    return question.reasons?.[question.options.findIndex(wrong)] ?? "";
  }

  /** Shows the verdict in the bar, with the lanes in which it is right. @param {Question} question @param {Reply} reply */
  #verdict(question, reply) {
    const mark = (/** @type {boolean} */ right, /** @type {string} */ text) => html("span", { class: right ? "good" : "bad" }, html("b", { "aria-hidden": "true" }, right ? "✓" : "✗"), ` ${text}`);
    const parts = this.#revealed ? [] : this.#wheels.length > 1 ? this.#wheels.map(({ target, right }) => mark(right, target.lane)) : [mark(reply.right, t(reply.right ? "quiz.right" : "quiz.wrong", { answer: reply.answer }))];
    this.verdict.replaceChildren(...parts);
  }

  /** Shows the event that is the answer in the laboratory: its lane, its timer, its slot and its story. */
  async #see() {
    const question = this.#question;
    if (!question || !this.#answered) return;
    const wheel = this.#wheels.find(({ right }) => !right) ?? this.#wheels[0];
    const from = wheel?.target ?? question;
    const lane = wheel?.target.lane ?? question.targets[0].lane;
    const place = { tick: question.see.tick, seq: from.seq ?? 0 };
    this.#leaveLanes();
    this.#show("seen");
    const { app } = this;
    const index = app.store.infos.findIndex((/** @type {any} */ info) => info.id === lane);
    app.story.about(place, index, from.timerId ?? 0);
    if (from.timerId) app.follow.choose(from.timerId);
    if (!await this.#arrive(place) || this.#question !== question) return;
    if (app.views?.stage) app.views.act(`large:${index + 1}`);
    app.lanes.cards[index].section.scrollIntoView({ block: "nearest", inline: "center" });
    this.#flash(index, from.answer);
  }

  /** Flashes a slot. @param {number} index @param {string} value */
  #flash(index, value) {
    const { picture } = this.app.lanes.cards[index];
    const [level, slot] = value.split(":").map(Number);
    const drawn = picture.form && ["ring", "rows"].includes(picture.form.shape) && picture.form.levels[level]?.[0] === level && Number.isInteger(slot);
    if (!drawn) return;
    const path = svg("path", { class: "flash", d: outlineOf(picture.form, level, slot) });
    picture.svg.append(path);
    setTimeout(() => path.remove(), FLASH_MS);
  }

  /**
   * Handles the keys of the question, and keeps those that would move the cursor or open something from the page.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { key, target } = event;
    if (!this.isOpen || this.app.main.dataset.asking === "seen" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog:modal") || (target instanceof HTMLElement && target.matches("input, select, textarea"))) return;
    if (key === "Escape") return this.#leave();
    if (["Tab", "Enter", "PageUp", "PageDown", "Shift", "q", "l", "n"].includes(key) && !(key === "l" && this.#waits)) return;
    const onControl = target instanceof Element && target.closest("button, a, [role=application]");
    if (onControl && (key === " " || (key.startsWith("Arrow") && target.closest("[role=application]")))) return;
    const k = "abcd".indexOf(key.toLowerCase());
    if (this.#waits && key.length === 1 && k >= 0) this.#letterKey(k);
    else if (this.#waits && key === "l") this.#letter(!this.#lettered);
    else if (this.#waits && key === "v") this.#reveal();
    if (key.length === 1 || key.startsWith("Arrow") || key === "Home" || key === "End") {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Answers with option k. @param {number} k */
  #letterKey(k) {
    const wheel = this.#wheels.find(({ value, shown }) => !value && !shown);
    const value = (wheel ? wheel.target.options : this.#question?.options ?? [])[k];
    if (value === undefined) return;
    if (!wheel) return this.#pick(value);
    if (this.#lettered) wheel.answer(value);
  }
}

/** @type {QuestionStage|null} */
let only = null;

/** Returns the stage of the page. @param {any} app */
export const questionStage = (app) => (only ??= new QuestionStage(app));
