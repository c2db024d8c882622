// @ts-check
/** The form for starting, replacing, resetting or cancelling a timer at the cursor, in all lanes. */
import { byId, html, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/** @typedef {import("../core/connection.js").Fault} Fault */

const FIELDS = ["op", "timer", "delay", "every", "times"];
/** Fields that are not used to cancel a timer. */
const ARMING = ["delay", "every", "times"];
/** Maximum number of timer names that are suggested. */
const NAMES_MAX = 50;

/**
 * Converts typed text to a value of a command. An integer is converted to a number, or to raw JSON if a float
 * can't represent it exactly. Other text, such as a duration, is returned unchanged.
 * @param {string} text
 */
function amount(text) {
  if (!/^-?\d+$/.test(text)) return text;
  if (Number.isSafeInteger(Number(text))) return Number(text);
  const { rawJSON } = /** @type {any} */ (JSON); // missing in older browsers, which send the text; the server rejects it
  return rawJSON ? rawJSON(String(BigInt(text))) : text;
}

export class AddTimer {
  /** @param {import("../state/store.js").Store} store @param {(fields: Record<string, any>) => Promise<Fault|null>} operate */
  constructor(store, operate) {
    this.store = store;
    this.operate = operate;
    this.form = byId("add");
    this.form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#submit();
    });
    byId("add-op").addEventListener("change", () => this.#chosen());
    byId("add-timer").addEventListener("focus", () => this.#offer());
  }

  /** Shows the tick at which the timer would be scheduled. @param {number} tick */
  update(tick) {
    setText(byId("add-hint"), t("add.hint", { tick }));
  }

  /** Cancels a timer at the cursor. @param {string} name */
  async cancel(name) {
    this.#clear();
    const done = t("cancel.done", { name, tick: this.store.tick });
    this.#report(await this.operate({ op: "cancel", timer: name }), done);
  }

  /** Shows the fields, the hint and the button label of the chosen operation. */
  #chosen() {
    const op = this.form.elements.op.value;
    setText(byId("add-op-hint"), t(`add.what.${op}`));
    setText(byId("add-do"), t(`add.do.${op}`));
    for (const name of ARMING) this.form.elements[name].closest(".field").hidden = op === "cancel";
    this.#clear();
  }

  /** Suggests the names of the existing timers. */
  #offer() {
    const names = [...new Set(this.store.names.values())].slice(-NAMES_MAX);
    byId("add-names").replaceChildren(...names.map((value) => html("option", { value })));
  }

  async #submit() {
    this.#clear();
    const value = (/** @type {string} */ name) => this.form.elements[name].value.trim();
    const op = value("op");
    const fault = check(op, value);
    if (fault) return this.#report(fault, "");
    const { tick } = this.store;
    const fields = fieldsOf(op, value);
    const refused = await this.operate(fields);
    this.#report(refused, t(`add.done.${op}`, { name: fields.timer, tick }));
    if (!refused) this.form.elements.timer.value = "";
  }

  #clear() {
    for (const name of FIELDS) {
      this.form.elements[name].removeAttribute("aria-invalid");
      const line = document.getElementById(`add-${name}-error`);
      if (line) setText(line, "");
    }
    setText(byId("add-error"), "");
  }

  /** Shows a fault next to its field, or a success message. @param {Fault|null} fault @param {string} done */
  #report(fault, done) {
    byId("add-error").classList.toggle("done", !fault);
    if (!fault) return setText(byId("add-error"), done);
    const name = FIELDS.find((field) => fault.path === field || fault.path.endsWith(`.${field}`));
    const text = fault.path === "link" ? t("error.link") : fault.message;
    const line = name && document.getElementById(`add-${name}-error`);
    if (!name || !line) return setText(byId("add-error"), fault.path && fault.path !== "link" ? t("error.at", { path: fault.path, message: text }) : text);
    setText(line, text);
    this.form.elements[name].setAttribute("aria-invalid", "true");
    this.form.elements[name].focus();
  }
}

/**
 * Returns the fields of the command for an operation.
 * @param {string} op @param {(name: string) => string} value returns the content of a field of the form
 */
function fieldsOf(op, value) {
  /** @type {Record<string, any>} */
  const fields = { op, timer: value("timer") };
  if (op === "cancel") return fields;
  fields.delay = amount(value("delay"));
  if (value("every")) fields.every = amount(value("every"));
  if (value("times")) fields.times = Number(value("times"));
  return fields;
}

/**
 * Checks the fields before the command is sent. Returns the first error, or null if there is none.
 * @param {string} op @param {(name: string) => string} value returns the content of a field of the form
 * @returns {Fault|null}
 */
function check(op, value) {
  if (!value("timer")) return { path: "timer", message: t("error.name") };
  if (op === "cancel") return null;
  if (!value("delay")) return { path: "delay", message: t("error.delay") };
  if (value("times") && !/^(-1|[1-9]\d*)$/.test(value("times"))) return { path: "times", message: t("error.times") };
  return null;
}
