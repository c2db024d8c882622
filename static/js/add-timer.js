// @ts-check
/** The form that starts a timer at the cursor, in all lanes. */
import { byId, setText } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {import("./connection.js").Fault} Fault */

const FIELDS = ["timer", "delay", "every", "times"];

/** A number as a number, a duration as it is. @param {string} text */
function amount(text) {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

export class AddTimer {
  /** @param {import("./store.js").Store} store @param {(fields: Record<string, any>) => Promise<Fault|null>} operate */
  constructor(store, operate) {
    this.store = store;
    this.operate = operate;
    this.form = byId("add");
    this.form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Where the timer would start. @param {number} tick */
  update(tick) {
    setText(byId("add-hint"), t("add.hint", { tick }));
  }

  /** Cancels a timer at the cursor. @param {string} name */
  async cancel(name) {
    this.#clear();
    this.#report(await this.operate({ op: "cancel", timer: name }), t("cancel.done", { name, tick: this.store.tick }));
  }

  async #submit() {
    this.#clear();
    const value = (/** @type {string} */ name) => this.form.elements[name].value.trim();
    const fault = check(value);
    if (fault) return this.#report(fault, "");
    /** @type {Record<string, any>} */
    const fields = { op: "schedule", timer: value("timer"), delay: amount(value("delay")) };
    if (value("every")) fields.every = amount(value("every"));
    if (value("times")) fields.times = Number(value("times"));
    const { tick } = this.store;
    const refused = await this.operate(fields);
    this.#report(refused, t("add.done", { name: fields.timer, tick }));
    if (!refused) this.form.elements.timer.value = "";
  }

  #clear() {
    for (const name of FIELDS) {
      this.form.elements[name].removeAttribute("aria-invalid");
      setText(byId(`add-${name}-error`), "");
    }
    setText(byId("add-error"), "");
  }

  /** Puts a fault by its field, or says that it is done. @param {Fault|null} fault @param {string} done */
  #report(fault, done) {
    byId("add-error").classList.toggle("done", !fault);
    if (!fault) return setText(byId("add-error"), done);
    const name = FIELDS.find((field) => fault.path === field || fault.path.endsWith(`.${field}`));
    const text = fault.path === "link" ? t("error.link") : fault.message;
    if (!name) return setText(byId("add-error"), fault.path && fault.path !== "link" ? t("error.at", { path: fault.path, message: text }) : text);
    setText(byId(`add-${name}-error`), text);
    this.form.elements[name].setAttribute("aria-invalid", "true");
    this.form.elements[name].focus();
  }
}

/** What can be seen to be wrong before it is sent. @param {(name: string) => string} value @returns {Fault|null} */
function check(value) {
  if (!value("timer")) return { path: "timer", message: t("error.name") };
  if (!value("delay")) return { path: "delay", message: t("error.delay") };
  if (value("times") && !/^(-1|[1-9]\d*)$/.test(value("times"))) return { path: "times", message: t("error.times") };
  return null;
}
