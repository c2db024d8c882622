// @ts-check
/** Displays the current figures of the wheel, some with a curve of the last minute. */
import { setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/** Number of values in a curve: a minute at the maximum rate of ten messages per second. */
const KEPT = 600;
/** Width of a curve, in units of its view box. */
const WIDE = 120;
/** Height of a curve, in units of its view box. */
const HIGH = 24;

export class Pulse {
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
