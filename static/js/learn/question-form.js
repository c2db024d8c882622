// @ts-check
/**
 * A question with its options. They are radio buttons if exactly one is right, and checkboxes otherwise.
 * Until the question is answered, the parts of the page that would show the answer are hidden. The server
 * grades the answer. This module sends it, marks the options, shows the reasons, and offers to move the
 * cursor to where the answer is visible.
 */
import { button, html, setDisabled, setText } from "../core/dom.js";
import { hideParts, showParts } from "./hidden-parts.js";
import { optionLabel } from "./labels.js";
import { t } from "../core/texts.js";

/**
 * @typedef {{kind: string, lane: string, timer: string, at: number, op?: {at: number, delay: number}, many: boolean, options: string[], id?: string, hides: string[]}} Asked
 * @typedef {{right: boolean, answer: string[], see: number, why?: string, reasons: string[]}} Graded
 */

let forms = 0;

export class QuestionForm {
  /** Whether the answer was sent. The question then remains displayed. */
  answered = false;

  /**
   * @param {string} question text of the question
   * @param {Asked} ask
   * @param {(picks: number[]) => Promise<Graded|string>} grade returns the reason as a string if the answer could not be graded
   * @param {(graded: Graded, chosen: string, answer: string) => void} done called when the answer is graded,
   *   with the texts of the chosen options and of the right ones
   * @param {(tick: number) => void} see moves the cursor to the tick at which the answer is visible
   */
  constructor(question, ask, grade, done, see) {
    this.ask = ask;
    this.grade = grade;
    this.done = done;
    this.see = see;
    this.name = `question-${++forms}`;
    this.form = /** @type {HTMLFormElement} */ (html("form", { class: "question-form" }));
    this.fields = html("fieldset", {}, html("legend", {}, question));
    if (ask.many) this.fields.append(html("p", { class: "hint" }, t("quiz.many")));
    this.labels = ask.options.map((value, k) => this.#option(value, k));
    this.fields.append(html("div", { class: "options" }, ...this.labels));
    this.check = /** @type {HTMLButtonElement} */ (html("button", { class: "primary" }, t("quiz.check")));
    this.note = html("p", { class: "hint hides" });
    this.result = html("p", { class: "graded", "aria-live": "polite" });
    this.form.append(this.fields, this.check, this.note, this.result);
    this.hide();
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Hides the answer on the page while the question is open. */
  hide() {
    if (!this.answered) hideParts(this.ask.hides, this.note);
  }

  /** Returns the control of option k with its label. @param {string} value @param {number} k */
  #option(value, k) {
    const input = html("input", { type: this.ask.many ? "checkbox" : "radio", name: this.name, value: k });
    return html("label", { class: "option" }, input, html("span", {}, optionLabel(this.ask, value)), html("b", { class: "mark" }));
  }

  async #submit() {
    const picks = [...this.form.querySelectorAll("input:checked")].map((input) => Number(/** @type {HTMLInputElement} */ (input).value));
    if (picks.length === 0 && !this.ask.many) return setText(this.result, t("quiz.choose"));
    this.answered = true;
    setDisabled(this.check, true);
    const graded = await this.grade(picks);
    setDisabled(this.check, false);
    this.answered = typeof graded !== "string";
    if (typeof graded === "string") return setText(this.result, graded);
    if (this.form.isConnected) showParts(); // otherwise another question is shown
    setText(this.note, "");
    this.#show(picks, graded);
    this.done(graded, this.#words(picks.map((k) => this.ask.options[k])), this.#words(graded.answer));
  }

  /** Returns the texts of options. @param {string[]} values */
  #words(values) {
    return values.map((value) => optionLabel(this.ask, value)).join(", ") || t("quiz.nothing");
  }

  /**
   * Marks the options as right or wrong, shows the reasons, and shows the outcome.
   * @param {number[]} picks @param {Graded} graded
   */
  #show(picks, graded) {
    const focused = this.form.contains(document.activeElement);
    /** @type {HTMLFieldSetElement} */ (this.fields).disabled = true;
    this.check.hidden = true;
    this.labels.forEach((label, k) => {
      const right = graded.answer.includes(this.ask.options[k]);
      const wrong = picks.includes(k) !== right;
      label.classList.toggle("right", right);
      label.classList.toggle("wrong", wrong);
      const mark = right ? "✓" : wrong ? "✗" : "";
      const bold = /** @type {Element} */ (label.querySelector(".mark"));
      setText(bold, mark);
      if (mark) bold.setAttribute("aria-label", t(right ? "quiz.mark.right" : "quiz.mark.wrong"));
      if (mark) bold.setAttribute("role", "img");
      if (graded.reasons[k]) label.append(html("small", { class: picks.includes(k) && wrong ? "reason mine" : "reason" }, graded.reasons[k]));
    });
    this.form.classList.add("answered");
    const words = this.#words(graded.answer);
    const outcome = html("b", { class: graded.right ? "good" : "bad" }, graded.right ? t("quiz.right") : t("quiz.wrong", { answer: words }));
    const see = button({}, t("quiz.see", { tick: graded.see }), () => this.see(graded.see));
    this.result.replaceChildren(outcome, " ", graded.why ?? "", " ", see);
    if (focused) see.focus({ preventScroll: true }); // what had the focus is disabled now
  }
}
