// @ts-check
/**
 * A feature of the page: inspects single slots and timers, and magnifies pictures. To reduce the initial load,
 * its modules are fetched when the pointer reaches the lanes or a key needs them. Input that arrives before
 * they are loaded is handled afterwards.
 */
import { byId } from "../core/dom.js";

/** Matches the key actions that this module handles. */
const ACTIONS = /^(slots|zoom-(in|out|whole))$/;
/** Selector of the buttons that this module handles. */
const BUTTONS = "[data-view=slots], [data-zoom]";

export class Inspection {
  /** @type {any[]} the loaded features; empty until they are loaded */
  #parts = [];
  /** @type {Promise<void>|null} */
  #requested = null;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    const lanes = byId("lanes");
    lanes.addEventListener("pointerover", (/** @type {PointerEvent} */ e) => this.#repeatMove(e));
    lanes.addEventListener("click", (/** @type {PointerEvent} */ e) => this.#click(e));
  }

  begin() { for (const part of this.#parts) part.begin(); }

  draw() {
    let more = false;
    for (const part of this.#parts) if (part.draw()) more = true;
    return more;
  }

  /** Passes a key action to the modules, once they are loaded. @param {string} action */
  act(action) {
    if (!ACTIONS.test(action)) return false;
    if (this.#parts.length > 0) return this.#parts.some((part) => part.act(action));
    this.#whenLoaded(() => this.#parts.some((part) => part.act(action)));
    return true;
  }

  /** Fetches the modules once. If that fails, the next call tries again. */
  #fetch() {
    this.#requested ??= Promise.all([import("./slot-card.js"), import("./node-card.js"), import("./zooming.js")]).then(
      ([{ SlotCard }, { NodeCard }, { Zooming }]) => {
        this.#parts = [new SlotCard(this.app), new NodeCard(this.app), new Zooming(this.app)];
        this.begin();
      },
      () => { this.#requested = null; },
    );
    return this.#requested;
  }

  /**
   * Calls a function when the modules are loaded. If they can't be loaded, it is not called.
   * @param {() => void} what
   */
  #whenLoaded(what) { this.app.trackRequest(this.#fetch().then(() => { if (this.#parts.length > 0) what(); })); }

  /**
   * Dispatches a pointer movement again when the modules are loaded, so that they receive it.
   * @param {PointerEvent} event
   */
  #repeatMove(event) {
    if (this.#parts.length > 0) return;
    const target = /** @type {Element} */ (event.target);
    if (!target.closest(".picture")) return;
    this.#whenLoaded(() => target.dispatchEvent(new PointerEvent("pointermove", event)));
  }

  /**
   * Dispatches a click again when the modules are loaded, unless another part of the page handles it.
   * @param {PointerEvent} event
   */
  #click(event) {
    if (this.#parts.length > 0) return;
    const target = /** @type {Element} */ (event.target);
    const button = target.closest(BUTTONS);
    if (!button && (!target.closest(".picture > svg") || this.app.lanes.timerOf(event))) return;
    this.#whenLoaded(() => (button ?? target).dispatchEvent(new PointerEvent("click", event)));
  }
}
