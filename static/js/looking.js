// @ts-check
/**
 * Looking closely: at single slots, at single timers, at a picture enlarged. What does
 * it is fetched when a pointer comes to the lanes or a key asks for it, so that the
 * first visit stays small; what was done meanwhile is done then. A feature of the page.
 */
import { byId } from "./dom.js";

/** Actions of keys that are taken here. */
const ACTIONS = /^(slots|zoom-(in|out|whole))$/;
/** Buttons that are worked here. */
const BUTTONS = "[data-view=slots], [data-zoom]";

export class Looking {
  /** @type {any[]} features, once they are here */
  #parts = [];
  /** @type {Promise<void>|null} */
  #asked = null;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    const lanes = byId("lanes");
    lanes.addEventListener("pointerover", (/** @type {PointerEvent} */ e) => this.#come(e));
    lanes.addEventListener("click", (/** @type {PointerEvent} */ e) => this.#click(e));
  }

  begin() { for (const part of this.#parts) part.begin(); }

  draw() {
    let more = false;
    for (const part of this.#parts) if (part.draw()) more = true;
    return more;
  }

  /** @param {string} action */
  act(action) {
    if (!ACTIONS.test(action)) return false;
    if (this.#parts.length > 0) return this.#parts.some((part) => part.act(action));
    this.#then(() => this.#parts.some((part) => part.act(action)));
    return true;
  }

  /** The parts are here, or come; where they can't be had, the next wish asks again. */
  #fetch() {
    this.#asked ??= Promise.all([import("./pictures/slot-card.js"), import("./pictures/node-card.js"), import("./pictures/zooming.js")]).then(
      ([{ SlotCard }, { NodeCard }, { Zooming }]) => {
        this.#parts = [new SlotCard(this.app), new NodeCard(this.app), new Zooming(this.app)];
        this.begin();
      },
      () => { this.#asked = null; },
    );
    return this.#asked;
  }

  /** Does something once the parts are here; where they can't be had it is not done. @param {() => void} what */
  #then(what) { this.app.owe(this.#fetch().then(() => { if (this.#parts.length > 0) what(); })); }

  /** A pointer came: where it stands when the parts are here is told to them. @param {PointerEvent} event */
  #come(event) {
    if (this.#parts.length > 0) return;
    const target = /** @type {Element} */ (event.target);
    if (!target.closest(".picture")) return;
    this.#then(() => target.dispatchEvent(new PointerEvent("pointermove", event)));
  }

  /** A click that came before the parts is made again, where nothing else has taken it. @param {PointerEvent} event */
  #click(event) {
    if (this.#parts.length > 0) return;
    const target = /** @type {Element} */ (event.target);
    const button = target.closest(BUTTONS);
    if (!button && (!target.closest(".picture > svg") || this.app.desk.timerOf(event))) return;
    this.#then(() => (button ?? target).dispatchEvent(new PointerEvent("click", event)));
  }
}
