// @ts-check
/** The sheet for making a film: its fields, the progress, and the result. */
import { FilmError, makeFilm } from "./make.js";
import { SIZES, count, tooMany, wrong } from "./plan.js";
import { byId, html, setDisabled, setText } from "../core/dom.js";
import { hasEncoder } from "./webm.js";
import { t } from "../core/texts.js";

/** Default length of a film, in ticks. */
const OFFERED = 60;

class FilmSheet {
  /** @type {AbortController|null} aborts the film in progress */
  #making = null;
  #run = "";
  #address = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.fields = Object.fromEntries(["from", "to", "by", "unit", "rate", "format", "size"].map((name) => [name, byId(`film-${name}`)]));
    this.lanes = byId("film-lanes");
    this.fields.size.replaceChildren(...SIZES.map(([width, height], k) => html("option", { value: k }, t("film.size.of", { width, height }))));
    this.fields.size.value = "2";
    if (!hasEncoder()) {
      this.fields.format.value = "gif";
      this.fields.format.options[0].disabled = true;
      byId("film-note").hidden = false;
    }
    byId("film-form").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#make();
    });
    byId("film-cancel").addEventListener("click", () => this.#making?.abort());
  }

  open() { this.begin(); }

  /** Adapts the fields to another run: offers its lanes, and sets the default range of ticks. */
  begin() {
    const { run, infos, until, tick } = this.app.store;
    if (run === this.#run) return;
    this.#run = run;
    const legend = /** @type {Element} */ (this.lanes.querySelector("legend"));
    this.lanes.replaceChildren(legend, ...infos.map((/** @type {any} */ { id }, /** @type {number} */ k) => {
      return html("label", {}, html("input", { type: "checkbox", value: k, checked: "" }), id);
    }));
    this.fields.from.value = tick < until ? tick : 0;
    this.fields.to.value = Math.min(until, Number(this.fields.from.value) + OFFERED);
  }

  /** Returns the values of the fields. @returns {import("./plan.js").Asked} */
  #asked() {
    const [width, height] = SIZES[Number(this.fields.size.value)];
    const number = (/** @type {string} */ name) => (this.fields[name].value === "" ? NaN : Number(this.fields[name].value));
    const chosen = /** @type {NodeListOf<HTMLInputElement>} */ (this.lanes.querySelectorAll("input:checked"));
    return {
      from: number("from"), to: number("to"), by: number("by"), unit: this.fields.unit.value, rate: number("rate"),
      format: this.fields.format.value, width, height, lanes: [...chosen].map((box) => Number(box.value)),
    };
  }

  async #make() {
    const asked = this.#asked();
    const frames = asked.unit === "tick" ? count(asked.from, asked.to, asked.by) : 1;
    const fault = wrong(asked, this.app.store.until) ?? tooMany(frames, asked);
    this.#fault(fault);
    if (fault || this.#making) return;
    this.#making = new AbortController();
    this.#show(true);
    setText(byId("film-said"), t("film.begun"));
    const outcome = await this.#film(asked, this.#making.signal);
    this.#making = null;
    this.#show(false);
    setText(byId("film-said"), outcome);
  }

  /** Makes the film and returns a message about the outcome. @param {import("./plan.js").Asked} asked @param {AbortSignal} signal */
  async #film(asked, signal) {
    const { name } = this.app.store.hello.scenario;
    try {
      const { blob, frames } = await makeFilm(this.app, asked, signal, (done, all) => this.#progress(done, all));
      this.#result(blob, asked, name);
      return t("film.done", { n: frames, seconds: (frames / asked.rate).toFixed(1), kb: Math.ceil(blob.size / 1024).toLocaleString("en") });
    } catch (error) {
      if (signal.aborted) return t("film.cancelled");
      if (!(error instanceof FilmError)) return t("film.failed", { why: t("film.away") });
      this.#fault(error.what);
      return "";
    }
  }

  /**
   * Shows why the values of the fields are invalid, and focuses the field concerned. null removes the message.
   * @param {{field: string, key: string, values: Record<string, number>}|null} fault name of the field, and key
   *   and values of the message
   */
  #fault(fault) {
    setText(byId("film-error"), fault ? t(fault.key, fault.values) : "");
    for (const [name, field] of Object.entries(this.fields)) field.setAttribute("aria-invalid", String(fault?.field === name));
    if (fault) (this.fields[fault.field] ?? this.lanes.querySelector("input"))?.focus();
  }

  /**
   * Shows the progress.
   * @param {number} done number of frames made @param {number} all number of all frames
   */
  #progress(done, all) {
    byId("film-progress").value = done / all;
    setText(byId("film-said"), t("film.done.of", { done, all }));
  }

  /** Shows whether a film is being made. @param {boolean} busy */
  #show(busy) {
    byId("film-progress").hidden = byId("film-cancel").hidden = !busy;
    byId("film-progress").value = 0;
    setDisabled(byId("film-make"), busy);
    if (busy) byId("film-result").hidden = true;
  }

  /**
   * Offers the film for download.
   * @param {Blob} blob @param {import("./plan.js").Asked} asked @param {string} name name of the scenario
   */
  #result(blob, { format, width, height }, name) {
    URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(blob);
    const save = byId("film-save");
    save.href = this.#address;
    save.download = `${name || "film"}.${format}`;
    const view = format === "gif"
      ? html("img", { src: this.#address, alt: t("film.view"), width, height })
      : html("video", { src: this.#address, controls: "", loop: "", "aria-label": t("film.view"), width, height });
    byId("film-view").replaceChildren(view);
    byId("film-result").hidden = false;
  }
}

/** Creates the sheet. @param {any} app */
export const make = (app) => new FilmSheet(app);
