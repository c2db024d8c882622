// @ts-check
/**
 * The page of a wheel in a running program. The program sends the states of the wheel's shards as server-sent
 * events, and page/lanes.js draws the shards like the lanes of the lab. The page sends nothing to the program.
 * Start reading here, then pulse.js (the figures).
 */
import { Lanes } from "../page/lanes.js";
import { FrameLoop } from "../core/frame-loop.js";
import { SlotCard } from "../inspect/slot-card.js";
import { Store } from "../state/store.js";
import { byId, setAttr, setText } from "../core/dom.js";
import { listen } from "../core/keys.js";
import { setTexts, t } from "../core/texts.js";
import { themes } from "../core/theme.js";

/** Display time of a success message, in milliseconds. */
const MESSAGE_MS = 4000;

class LiveApp {
  #held = false;
  /** The last message received while the page is on hold; null if there is none. @type {any} */
  #waiting = null;

  constructor() {
    this.main = /** @type {HTMLElement} */ (document.querySelector("main"));
    this.store = new Store();
    this.store.player = { playing: true, rate: 0, end: false }; // at maximum speed movements are not animated
    this.loop = new FrameLoop(() => this.lanes.draw(0));
    this.lanes = new Lanes(this.store, document.body.dataset.lang ?? "en", () => this.loop.request());
    this.pulse = new Pulse();
    /** @type {import("../page/feature.js").Feature[]} */
    this.features = [themes(this), new SlotCard(this)];
    byId("hold").addEventListener("click", () => this.#hold());
    listen((action, held) => {
      if (action === "play") this.#hold();
      else this.features.some((f) => f.act?.(action, held));
    });
    this.#connect();
  }

  #connect() {
    const feed = new EventSource("feed");
    feed.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    feed.addEventListener("error", () => this.#showLink("live.lost"));
    addEventListener("pagehide", () => feed.close());
  }

  /** Handles a message of the program, or stores it while the page is on hold. @param {any} message */
  #receive(message) {
    if (message.kind === "hello") this.#again();
    else if (this.#held) {
      this.#waiting = message;
      return;
    }
    const outcome = this.store.receive(message);
    if (outcome === "hello") {
      this.lanes.begin();
      for (const f of this.features) f.begin?.();
    }
    if (outcome !== "state") return;
    this.pulse.show(message.rates, /** @type {Message.Hello} */ (this.store.hello).limits);
    const { herd } = message;
    byId("herd").hidden = !herd;
    setText(byId("herd"), herd ? t("live.herd", herd) : "");
    setAttr(this.main, "data-now", this.store.tick);
    setAttr(this.main, "data-seq", this.store.seq);
    for (const f of this.features) f.moved?.();
    this.loop.request();
    for (const f of this.features) f.draw?.();
  }

  /** Pauses the updates of the page, or resumes them with the last message received. */
  #hold() {
    this.#held = !this.#held;
    this.store.player.playing = !this.#held;
    const button = byId("hold");
    setAttr(button, "aria-pressed", String(this.#held));
    setText(button, t(this.#held ? "live.go" : "live.hold"));
    const message = this.#waiting;
    this.#waiting = null;
    if (!this.#held && message) this.#receive(message);
    this.lanes.stale = true;
    this.loop.request();
  }

  /** Handles the opening of a connection. Shows a message unless it is the first connection. */
  #again() {
    this.#waiting = null;
    if (byId("link").hidden) return;
    this.#showLink("live.back");
    setTimeout(() => { byId("link").hidden = true; }, MESSAGE_MS);
  }

  /** Shows the state of the connection. @param {string} key key of the text */
  #showLink(key) {
    byId("link").hidden = false;
    setText(byId("link"), t(key));
  }
}

/** Number of values in a curve: a minute at the maximum rate of ten messages per second. */
const KEPT = 600;
/** Width of a curve, in units of its view box. */
const WIDE = 120;
/** Height of a curve, in units of its view box. */
const HIGH = 24;

class Pulse {
  /** @type {Map<string, number[]>} */
  #past = new Map();

  constructor() {
    this.boxes = [...document.querySelectorAll("[data-pulse]")];
    this.curves = [...document.querySelectorAll("[data-curve]")];
  }

  /** Displays figures, and adds them to their curves. @param {Record<string, number>} rates the figures by name @param {Record<string, number>} limits maximum values by name */
  show(rates, limits) {
    for (const box of this.boxes) {
      const name = box.getAttribute("data-pulse") ?? "";
      setText(box, name === "recorded" && rates.recorded >= limits.recorded ? t("live.full", { n: words(rates.recorded) }) : words(rates[name]));
    }
    for (const box of this.curves) this.#draw(box, rates[box.getAttribute("data-curve") ?? ""]);
  }

  /** Adds a value to a curve and draws it. @param {Element} box @param {number} value */
  #draw(box, value) {
    const name = box.getAttribute("data-curve") ?? "";
    const past = this.#past.get(name) ?? [];
    past.push(value);
    if (past.length > KEPT) past.shift();
    this.#past.set(name, past);
    const most = Math.max(...past, 1e-9);
    const points = past.map((v, i) => `${((KEPT - past.length + i) / (KEPT - 1) * WIDE).toFixed(2)} ${(HIGH - 1 - v / most * (HIGH - 2)).toFixed(2)}`);
    box.firstElementChild?.setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
  }
}

/** Formats a number with at most two decimals, or with none if it is 100 or more. @param {number} n */
function words(n) {
  return n.toLocaleString(document.documentElement.lang, { maximumFractionDigits: n < 100 ? 2 : 0 });
}

setTexts(JSON.parse(byId("texts").textContent));
new LiveApp();
