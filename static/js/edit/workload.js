// @ts-check
/**
 * The workload editor: a form, and next to it the JSON of the scenario, which is sent to the server. A change
 * in one updates the other. Unapplied changes are stored for the tab, so that they are not lost on a reload.
 */
import { byId, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { TEXT_MAX, format, lineSpan, parse } from "./json.js";
import { WorkloadForm } from "./workload-form.js";
import { readStoredJSON, writeStored } from "../core/storage.js";
import { request } from "../core/transport.js";

const DRAFT = "wheelscope.draft";
/** Time from the last key press until the text is parsed, in milliseconds. */
const READ_MS = 250;

class WorkloadSheet {
  /** The text without unapplied changes: the formatted scenario from the server, or the text applied last. */
  #receivedText = "";
  /** Digest of the run that the text belongs to. */
  #run = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.text = /** @type {HTMLTextAreaElement} */ (byId("workload-json"));
    this.form = new WorkloadForm(byId("workload-form"), (scenario) => this.#write(format(scenario)));
    this.text.addEventListener("input", () => this.#typed());
    this.text.addEventListener("blur", () => this.#readNow());
    this.text.addEventListener("scroll", () => { byId("workload-lines").scrollTop = this.text.scrollTop; });
    byId("workload-apply").addEventListener("click", () => this.#apply());
    byId("workload-reset").addEventListener("click", () => this.#fetch());
    byId("workload-sheet").addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => {
      if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) this.#apply();
    });
  }

  get #dirty() { return this.text.value !== this.#receivedText; }

  open() {
    if (this.#dirty) return;
    const draft = drafted();
    if (draft) this.#restore(draft);
    else this.#fetch();
  }

  /** Loads the scenario of the displayed run, unless the editor has it already or has unapplied changes. */
  begin() { if (!this.#dirty && this.#run !== this.app.store.run) this.#fetch(); }

  /** Restores unapplied changes from before a reload. @param {{run: string, text: string}} draft */
  #restore(draft) {
    this.#run = draft.run;
    this.#receivedText = "";
    this.#write(draft.text);
    this.#read();
  }

  /** Loads the scenario of the displayed run. */
  async #fetch() {
    const { run } = this.app.store;
    this.#report(null);
    const answer = await request(`${this.app.base}/scenario?run=${run}`).catch(() => null);
    if (!answer?.ok) return this.#report({ path: "link", message: "" });
    const text = await answer.text();
    if (text.length > TEXT_MAX) return this.#tooLarge(text.length);
    this.#run = run;
    this.#receivedText = format(parse(text));
    this.#write(this.#receivedText);
    this.#read();
  }

  /** Shows that the scenario is too large for the editor. @param {number} size */
  #tooLarge(size) {
    this.#receivedText = "";
    this.#write("");
    this.form.box.replaceChildren();
    setText(byId("workload-error"), t("workload.large", { size, max: TEXT_MAX }));
  }

  /** Writes a text into the text area. @param {string} text */
  #write(text) {
    this.text.value = text;
    this.#number(0);
    this.#mark();
  }

  #typed() {
    this.#number(0);
    this.#mark();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), READ_MS);
  }

  /**
   * Parses the text at once if it has changed since it was last parsed. Otherwise the user could edit the form
   * while it still shows the text before the change.
   */
  #readNow() { if (this.#timer !== undefined) this.#read(); }

  /** Shows the text in the form, if it can be parsed. */
  #read() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      const scenario = parse(this.text.value);
      if (typeof scenario !== "object" || scenario === null || Array.isArray(scenario)) throw new SyntaxError();
      this.form.show(scenario);
      this.form.box.inert = false;
    } catch {
      this.form.box.inert = true; // because it shows the last text that could be parsed
    }
    byId("workload-form").classList.toggle("stale", this.form.box.inert);
  }

  /** Shows whether there are unapplied changes, and stores them. */
  #mark() {
    const dirty = this.#dirty;
    byId("workload-dirty").hidden = !dirty;
    keepDraft(dirty && this.text.value.length <= TEXT_MAX ? { run: this.#run, text: this.text.value } : null);
  }

  /**
   * Shows the line numbers, and marks the line with a fault.
   * @param {number} fault number of the line, or 0 if there is no fault
   */
  #number(fault) {
    const n = this.text.value.split("\n").length;
    setText(byId("workload-lines"), Array.from({ length: n }, (_, i) => (i + 1 === fault ? `▶ ${i + 1}` : String(i + 1))).join("\n"));
  }

  async #apply() {
    this.#readNow();
    this.#report(null);
    const text = this.text.value;
    const { tick, seq } = this.app.store;
    const fields = tick === 0 && seq === 0 ? { text } : { text, tick };
    const fault = await this.app.edit("load", fields, { key: "branch.workload", values: {} });
    if (fault) return this.#report(fault);
    this.#receivedText = text;
    this.#run = this.app.store.run;
    this.#mark();
    setText(byId("workload-done"), t("making.applied"));
  }

  /** Shows a fault in the header, next to its field, and at its line. @param {import("../core/connection.js").Fault|null} fault */
  #report(fault) {
    this.form.report(null);
    this.#number(fault?.line ?? 0);
    setText(byId("workload-done"), "");
    const line = byId("workload-error");
    if (!fault) return setText(line, "");
    if (fault.path === "link") return setText(line, t("error.link"));
    const words = fault.path ? t("error.at", { ...fault }) : fault.message;
    setText(line, fault.line ? t("error.line", { line: fault.line, message: words }) : words);
    const found = this.form.report(fault);
    if (!fault.line) return;
    const [start, end] = lineSpan(this.text.value, fault.line);
    this.text.setSelectionRange(start, end);
    const lineHeight = this.text.scrollHeight / this.text.value.split("\n").length;
    this.text.scrollTop = Math.max(0, (fault.line - 4) * lineHeight);
    if (!found) this.text.focus();
  }
}

/** Returns the unapplied changes stored for the tab, or null if there are none. @returns {{run: string, text: string}|null} */
function drafted() {
  const draft = readStoredJSON(DRAFT, "sessionStorage");
  return typeof draft?.text === "string" && typeof draft.run === "string" ? draft : null;
}

/** Stores unapplied changes for the tab. null removes them. @param {{run: string, text: string}|null} draft */
function keepDraft(draft) {
  writeStored(DRAFT, draft ? JSON.stringify(draft) : "", "sessionStorage");
}

/** Creates the sheet. @param {any} app */
export const make = (app) => new WorkloadSheet(app);
