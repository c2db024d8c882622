// @ts-check
/**
 * The presenter's window: the note and the script of the stop, the next stop, and a clock, while the window of the page is on the
 * projector. It is an empty window that this page fills, so it needs no address and works from a file, too.
 */
import { button, html, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/** Interval at which the clock is written, in milliseconds. */
const CLOCK_MS = 1000;
/** Keys in the presenter's window that show the next or the previous stop. @type {Record<string, number>} */
const KEYS = { PageDown: 1, ArrowRight: 1, " ": 1, PageUp: -1, ArrowLeft: -1 };

/** Declarations of the parts of the window. The Content-Security-Policy of the page allows no style sheet in it. @type {Record<string, Partial<CSSStyleDeclaration>>} */
const STYLES = {
  body: { margin: "0", padding: "1.5rem", background: "#111", color: "#eee", font: "20px/1.5 system-ui, sans-serif" },
  clock: { float: "right", font: "600 32px/1 system-ui, sans-serif", fontVariantNumeric: "tabular-nums" },
  note: { fontSize: "24px", borderInlineStart: "4px solid #6af", paddingInlineStart: "1rem" },
  question: { fontWeight: "600" },
  script: { whiteSpace: "pre-line" },
  next: { color: "#aaa", borderTop: "1px solid #444", paddingTop: "1rem" },
  button: { font: "inherit", padding: ".3rem 1rem", marginInlineEnd: ".5rem" },
};

/** Opens the window, or finds the one of this page before it was loaded again. Returns null if the browser blocks it. */
function opened() {
  const how = "popup,width=900,height=700";
  const found = window.open("", "wheelscope-presenter", how);
  try {
    return found?.document ? found : null;
  } catch { // a file that is loaded again has another origin
    found?.close();
    return window.open("", "", how);
  }
}

export class Presenter {
  /** @type {Window|null} */
  #window = null;
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #timer = undefined;
  #from = 0;
  /** The parts of the window. @type {Record<string, HTMLElement>} */
  #parts = {};
  /** What the server has answered about the stop, or null. @type {any} */
  #answered = null;

  /** @param {any} play the lecture */
  constructor(play) {
    this.play = play;
  }

  /** Opens the window, or brings it to the front. */
  open() {
    if (this.#window && !this.#window.closed) return this.#window.focus();
    this.#window = opened();
    if (!this.#window) return this.play.app.say(t("lecture.blocked"));
    this.#from ||= Date.now(); // the clock runs on while the window is closed
    clearInterval(this.#timer);
    this.#build(this.#window.document);
    this.#timer = setInterval(() => this.#tick(), CLOCK_MS);
    this.show(this.#answered);
  }

  /** @param {Document} page */
  #build(page) {
    page.title = t("lecture.presenter");
    page.documentElement.lang = document.documentElement.lang;
    for (const [name, tag] of Object.entries({ clock: "time", where: "p", title: "h1", note: "p", question: "p", script: "p", next: "p" })) this.#parts[name] = html(tag);
    const go = (/** @type {number} */ by) => this.play.go(this.play.at + by);
    const at = this.#parts;
    const buttons = [button({}, t("lecture.back"), () => go(-1)), button({}, t("lecture.next"), () => go(1))];
    Object.assign(page.body.style, STYLES.body);
    for (const [name, part] of Object.entries(at)) Object.assign(part.style, STYLES[name] ?? {});
    for (const b of buttons) Object.assign(b.style, STYLES.button);
    page.body.replaceChildren(at.clock, at.where, at.title, at.note, at.question, at.script, html("p", {}, ...buttons), at.next);
    page.onkeydown = (event) => { // in place of that of a page that was loaded again
      const by = KEYS[event.key];
      if (!by || (event.key === " " && event.target !== page.body)) return;
      event.preventDefault();
      go(by);
    };
  }

  /** Shows the stop. @param {any} answered what the server has answered about it, or null */
  show(answered) {
    this.#answered = answered;
    if (!this.#window || this.#window.closed) return;
    const { play } = this;
    const { stops } = play.lecture;
    const next = stops[play.at + 1];
    setText(this.#parts.where, t("lecture.where", { n: play.at + 1, m: stops.length }));
    for (const what of ["title", "note", "question", "script"]) setText(this.#parts[what], play.words(play.stop, what, answered));
    setText(this.#parts.next, next ? t("lecture.then", { title: play.words(next, "title", { facts: {} }) }) : t("lecture.last"));
    this.#tick();
  }

  #tick() {
    if (!this.#window || this.#window.closed) return clearInterval(this.#timer);
    const s = Math.floor((Date.now() - this.#from) / 1000);
    const time = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    setText(this.#parts.clock, `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")} · ${time}`);
  }

  close() {
    clearInterval(this.#timer);
    this.#window?.close();
    this.#window = null;
  }
}
