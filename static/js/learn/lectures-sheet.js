// @ts-check
/**
 * The sheet with the lectures: the built-in ones, and the one that the user makes. A stop is added from what the lab shows. The
 * stops can be reordered and their texts edited. The lecture is saved as a file, or shared as a URL if it is small.
 */
import { LECTURE_BYTES_MAX, NOTE_MAX, SCRIPT_MAX } from "../core/lecture-text.js";
import { IN_URL, SCENARIOS_MAX, STOPS_MAX, TITLE_MAX, inLanguage, moved, newLecture, readLecture, usedScenarios, withLanguage } from "./lecture-file.js";
import { ADDRESS_MAX, AddressError, pack } from "../core/pack.js";
import { button, download, html, setText } from "../core/dom.js";
import { requestJSON, requestScenario } from "../core/requests.js";
import { draft } from "./draft.js";
import { readProgress } from "./progress.js";
import { t } from "../core/texts.js";

/** Number of digits of the digest of a run in a lecture. */
const DIGITS = 16;

class LecturesSheet {
  #opened = false;
  /** The lecture that is made. */
  #lecture;

  /** @param {any} app @param {HTMLElement} box */
  constructor(app, box) {
    this.app = app;
    this.problem = /** @type {HTMLElement} */ (box.querySelector(".error"));
    this.list = /** @type {HTMLElement} */ (box.querySelector(".lecture-list"));
    this.maker = /** @type {HTMLElement} */ (box.querySelector(".lecture-maker"));
    this.said = /** @type {HTMLElement} */ (box.querySelector(".lecture-said"));
    this.#lecture = draft.read() ?? newLecture(app.lang, t("lecture.untitled"));
    const file = /** @type {HTMLInputElement} */ (box.querySelector("[type=file]"));
    file.addEventListener("change", () => {
      if (file.files?.[0]) this.#openFile(file.files[0]);
      file.value = "";
    });
    /** @param {string} name @param {() => void} act */
    const on = (name, act) => box.querySelector(`[data-lecture-do=${name}]`)?.addEventListener("click", act);
    on("add", () => this.#add());
    on("open", () => file.click());
    on("save", () => download(new Blob([this.#text()], { type: "application/json" }), "lecture.json"));
    on("share", () => this.#share());
    on("play", () => app.lectures.open("mine", 0));
  }

  open() {
    this.#lecture = draft.read() ?? this.#lecture;
    this.#showMaker();
    if (!this.#opened) this.#showList();
  }

  async #showList() {
    this.#opened = true;
    const lectures = await requestJSON(this.app, "lectures", {});
    setText(this.problem, typeof lectures === "string" ? lectures : "");
    if (typeof lectures === "string") return void (this.#opened = false);
    this.list.replaceChildren(...lectures.map((/** @type {any} */ lecture) => {
      const pick = button({ class: "lecture-pick card" }, html("b", {}, lecture.title), () => this.app.lectures.open(lecture.name));
      pick.append(html("span", {}, lecture.summary), html("small", {}, progressWords(lecture)));
      return html("li", {}, pick);
    }));
  }

  /** Stores the lecture, and shows it. @param {string} [said] */
  #changed(said = "") {
    draft.store(this.#lecture);
    this.#showMaker();
    setText(this.said, said);
  }

  #showMaker() {
    const { app } = this;
    const { stops, title } = this.#lecture;
    const heading = field("input", t("lecture.title"), inLanguage(title, app.lang), TITLE_MAX, (text) => { this.#lecture.title = withLanguage(title, app.lang, text); draft.store(this.#lecture); });
    const items = stops.map((stop, k) => {
      const name = inLanguage(stop.title, app.lang);
      const parts = /** @type {("title"|"note"|"script")[]} */ (["title", "note", "script"]).map((what) => {
        const max = { title: TITLE_MAX, note: NOTE_MAX, script: SCRIPT_MAX }[what];
        return field(what === "title" ? "input" : "textarea", t(`lecture.${what}`), inLanguage(stop[what], app.lang), max, (text) => {
          stop[what] = withLanguage(stop[what], app.lang, text);
          draft.store(this.#lecture);
        });
      });
      const move = (/** @type {number} */ to) => { this.#lecture.stops = moved(stops, k, to); this.#changed(t("lecture.moved", { title: name, n: to + 1 })); };
      const up = button({ "aria-label": t("lecture.up", { title: name }) }, "↑", () => move(k - 1));
      const down = button({ "aria-label": t("lecture.down", { title: name }) }, "↓", () => move(k + 1));
      up.disabled = k === 0;
      down.disabled = k === stops.length - 1;
      const remove = button({ "aria-label": t("lecture.remove", { title: name }) }, "✕", () => {
        this.#lecture.stops = stops.filter((_, i) => i !== k);
        this.#changed(t("lecture.removed", { title: name }));
      });
      const go = button({}, t("lecture.go"), () => app.lectures.open("mine", k));
      return html("li", {}, html("details", {}, html("summary", {}, `${k + 1}. ${name}`), ...parts, html("p", { class: "wraps" }, up, down, remove, go)));
    });
    this.maker.replaceChildren(heading, html("ol", {}, ...items));
    setText(this.said, "");
  }

  /** Adds a stop with what the lab shows, and its sentence as the note. */
  async #add() {
    const { app } = this;
    const { store } = app;
    const { stops } = this.#lecture;
    if (stops.length >= STOPS_MAX) return setText(this.said, t("lecture.bad.stops", { max: STOPS_MAX }));
    const { run, seq, tick } = store;
    const { scenario } = store.hello;
    const large = app.main.dataset.layout === "stage" ? document.querySelector("section.large") : null;
    const sentence = [...(document.getElementById("story-head")?.textContent ?? "")].slice(0, NOTE_MAX).join("");
    /** @type {any} */
    const stop = scenario.custom ? { run: run.slice(0, DIGITS) } : { scenario: scenario.name };
    if (seq > 0) stop.seq = seq;
    else if (tick > 0) stop.tick = tick;
    if (app.panes.isOpen("compare")) stop.view = "compare";
    else if (large) Object.assign(stop, { view: "stage", lane: large.getAttribute("data-lane") });
    if (app.follow.id) stop.follow = store.name(app.follow.id);
    stop.title = { [app.lang]: t("lecture.newstop", { n: stops.length + 1 }) };
    stop.note = { [app.lang]: sentence || t("lecture.newnote") };
    if (stop.run && !this.#lecture.scenarios?.[stop.run]) {
      const text = await requestScenario(app, run);
      if (text === null) return setText(this.said, t("error.link"));
      const scenarios = { ...usedScenarios(this.#lecture), [stop.run]: JSON.parse(text) };
      if (Object.keys(scenarios).length > SCENARIOS_MAX) return setText(this.said, t("lecture.bad.scenarios", { max: SCENARIOS_MAX }));
      this.#lecture.scenarios = scenarios;
    }
    stops.push(stop);
    if (this.#text().length > LECTURE_BYTES_MAX) {
      stops.pop();
      return setText(this.said, t("lecture.bad.long", { n: this.#text().length, max: LECTURE_BYTES_MAX }));
    }
    this.#changed(t("lecture.added", { n: stops.length }));
    this.maker.querySelector("li:last-child details")?.setAttribute("open", "");
  }

  /** Returns the file of the lecture. */
  #text() {
    const { scenarios: _, ...lecture } = this.#lecture;
    const scenarios = usedScenarios(this.#lecture);
    return `${JSON.stringify({ ...lecture, ...(Object.keys(scenarios).length > 0 ? { scenarios } : {}) }, null, 1)}\n`;
  }

  /** Opens a file. @param {File} file */
  async #openFile(file) {
    try {
      if (file.size > LECTURE_BYTES_MAX) throw new AddressError("lecture.bad.long", { n: file.size, max: LECTURE_BYTES_MAX });
      this.#lecture = readLecture(await file.text());
      this.#changed(t("lecture.opened", { file: file.name }));
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      setText(this.said, t("lecture.bad", { why: t(error.key, error.values) }));
    }
  }

  /** Copies a URL that contains the lecture. */
  async #share() {
    const { app } = this;
    const address = `${location.origin}${app.base}/?view=lab&lang=${app.lang}${IN_URL}${await pack(this.#text())}`;
    if (address.length > ADDRESS_MAX) return setText(this.said, t("lecture.large", { n: address.length, max: ADDRESS_MAX }));
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    setText(this.said, copied ? t("share.copied") : "");
    if (!copied) this.said.append(html("input", { value: address, readonly: "", "aria-label": t("share.address") }));
  }
}

/**
 * Creates a field with a label.
 * @param {"input"|"textarea"} tag @param {string} label @param {string} value @param {number} max @param {(text: string) => void} changed
 */
function field(tag, label, value, max, changed) {
  const input = /** @type {HTMLInputElement} */ (html(tag, { maxlength: max, ...(tag === "textarea" ? { rows: 3 } : {}) }));
  input.value = value;
  input.addEventListener("input", () => changed(input.value));
  return html("label", {}, html("span", {}, label), input);
}

/** Describes the progress in a lecture. @param {{name: string, stops: number}} lecture */
function progressWords({ name, stops }) {
  const { at, right } = readProgress(`lecture.${name}`, { at: -1, right: /** @type {Record<string, boolean>} */ ({}) });
  if (at < 0) return t("lecture.new", { m: stops });
  const good = Object.values(right).filter(Boolean).length;
  return t("lecture.progress", { n: at + 1, m: stops, good, all: Object.keys(right).length });
}

/** Creates the sheet. @param {any} app @param {HTMLElement} box */
export const make = (app, box) => new LecturesSheet(app, box);
