// @ts-check
/**
 * The page /learn: an article whose pictures can be changed. All pictures share one session, in which the
 * scenario of the picture used last is open. The opening picture plays by itself, unless reduced motion is
 * selected; then, since the server has rendered the pictures, the page opens no socket until one is used.
 *
 * Start reading here, then figure.js (a picture and its text).
 */
import { LatestRequest } from "../core/requests.js";
import { Connection } from "../core/connection.js";
import { FrameLoop } from "../core/frame-loop.js";
import { LiveFigure } from "./figure.js";
import { byId, calm, setText } from "../core/dom.js";
import { forgetPalette, listenForColours } from "../core/colours.js";
import { offerLecture } from "./lecture.js";
import { setTexts } from "../core/texts.js";

class Article {
  /** The figure whose scenario is open, or being opened, in the session. @type {LiveFigure|null} */
  #active = null;
  /** The figure whose scenario is to be opened next. @type {LiveFigure|null} */
  #nextFigure = null;
  /** Resolves when the requested scenario has been opened; null if none is being opened. @type {Promise<void>|null} */
  #opening = null;
  #connected = false;
  /** The element that shows an error in one line. */
  #line = /** @type {HTMLElement} */ (document.querySelector("[data-lost]"));
  /** Resolves the promise that #openAll awaits until the page is connected. @type {(done: any) => void} */
  #connectedThen = () => {};
  /** Whether no scenario has been opened in the session yet. */
  #needsScenario = true;

  constructor() {
    const { socket, base } = JSON.parse(byId("boot").textContent);
    this.base = base;
    this.loop = new FrameLoop(() => this.#draw());
    this.link = new Connection(() => new URL(socket, location.href).href.replace(/^http/, "ws"),
      (m) => this.#receive(m), (state) => this.#report(state));
    this.lifeRequest = new LatestRequest(this, "life");
    this.figures = [...document.querySelectorAll("section.chapter")].map((section) => new LiveFigure(section, this));
    this.#redrawOnThemeChange();
    if (!calm()) this.figures[0].play();
  }

  /** Reports whether the socket is open. While it is not, LatestRequest drops requests. */
  get served() { return this.link.isOpen; }

  /** Redraws the pictures when the colours change. */
  #redrawOnThemeChange() {
    listenForColours(() => {
      forgetPalette();
      for (const figure of this.figures) figure.redraw();
    });
  }

  #connect() {
    if (this.#connected) return;
    this.#connected = true;
    this.link.connect();
  }

  /**
   * Opens the scenario of a figure. Requests are processed one at a time. Of several waiting requests, only
   * the last is processed.
   * @param {LiveFigure} figure
   */
  open(figure) {
    this.#nextFigure = figure;
    this.#connect();
    this.#opening ??= this.#openAll();
    return this.#opening;
  }

  async #openAll() {
    if (!this.link.isOpen) await new Promise((resolve) => { this.#connectedThen = resolve; });
    for (let figure = this.#nextFigure; figure && this.link.isOpen; figure = this.#nextFigure) {
      this.#nextFigure = null;
      const before = this.#active;
      if (before !== figure) before?.leave();
      this.#active = figure;
      const fault = await this.link.send("load", { scenario: figure.scenario, tick: figure.tick });
      this.#showLine(fault?.message ?? "");
      if (!fault) continue;
      figure.leave();
      this.#active = before; // the session still holds its scenario
    }
    this.#opening = null;
  }

  /**
   * Opens the scenario of a figure if necessary, and then sends a command.
   * @param {LiveFigure} figure @param {keyof Message.Commands} name @param {Record<string, any>} [fields]
   */
  async send(figure, name, fields) {
    if (this.#active !== figure || !figure.served) await this.open(figure);
    if (this.#active !== figure) return null; // another figure was used meanwhile
    return this.link.send(name, fields);
  }

  /** Shows a line above the article. @param {string} text "" removes the line */
  #showLine(text) { setText(this.#line, text); }

  /** Passes a message to the active figure. @param {any} message */
  #receive(message) {
    if (message.kind === "hello" && message.scenario.name !== this.#active?.name) return;
    this.#active?.receive(message);
  }

  /**
   * Handles a `hello`, or the loss of the connection. In a new session the scenario is opened again.
   * @param {"open"|"lost"} state
   */
  #report(state) {
    this.#showLine(state === "lost" ? this.#line.dataset.lost ?? "" : "");
    if (state === "lost") {
      this.#needsScenario = true;
      this.#active?.leave();
      return;
    }
    if (!this.#needsScenario) return; // another scenario of the same session
    this.#needsScenario = false;
    const figure = this.#nextFigure ?? this.#active;
    if (figure) this.open(figure);
    this.#connectedThen(null);
  }

  /** Draws the figures that changed. Returns whether there is more to draw. */
  #draw() {
    return this.figures.filter((figure) => figure.draw()).length > 0;
  }
}

setTexts(JSON.parse(byId("texts").textContent));
new Article();
offerLecture(JSON.parse(byId("boot").textContent).lang);
