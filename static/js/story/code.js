// @ts-check
/** The pseudo-code of the displayed lane's algorithm. The line that was executed at the event is marked. */
import { byId, html, setText } from "../core/dom.js";
import { hasText, t } from "../core/texts.js";

/** @typedef {import("./code-lines.js").Line} Line */
/** @typedef {{lines: typeof import("./code-lines.js"), code: Line[], idea: import("./code-lines.js").Words}} Known the description of an algorithm, and the module that finds the executed line */

/**
 * Descriptions by algorithm. A description is null while it is being fetched, and if it is not available.
 * @type {Map<string, Known|null>}
 */
const known = new Map();

export class Code {
  #shown = "";

  /** @param {string} lang @param {() => void} arrived called when pseudo-code has arrived */
  constructor(lang, arrived) {
    this.lang = lang;
    this.arrived = arrived;
    this.box = byId("story-code");
  }

  /**
   * Shows the procedure that an event executes, and marks the line that it executes. Hides the pseudo-code if the
   * event executes no line.
   * @param {string} algorithm @param {number[]} rows @param {number} at offset of the event's row
   */
  show(algorithm, rows, at) {
    const found = descriptionOf(algorithm, this.arrived);
    const line = found ? found.lines.lineOf(found.code, rows, at) : -1;
    this.box.hidden = line < 0;
    if (!found || line < 0) return;
    const { lines, code } = found;
    const { proc } = code[line];
    const look = `${algorithm}/${proc}`;
    const list = this.box.querySelector("ol");
    if (look !== this.#shown) {
      this.#shown = look;
      setText(this.box.querySelector("figcaption"), procedureName(proc));
      list.replaceChildren(...code.filter((one) => one.proc === proc).map((one) => codeLine(lines.textOf(one, this.lang))));
    }
    mark(list, code.slice(0, line).filter((one) => one.proc === proc).length);
  }

  hide() {
    this.box.hidden = true;
  }
}

/**
 * Returns the description of an algorithm. If it is not available yet, starts to fetch it and returns null.
 * @param {string} algorithm @param {() => void} arrived called when it has arrived
 */
export function descriptionOf(algorithm, arrived) {
  if (!known.has(algorithm)) {
    known.set(algorithm, null);
    load(algorithm).then((loaded) => { known.set(algorithm, loaded); arrived(); }, () => known.delete(algorithm)); // fetched again at the next event
  }
  return known.get(algorithm) ?? null;
}

/** Returns the name of a procedure. @param {string} proc */
export function procedureName(proc) { return hasText(`code.${proc}`) ? t(`code.${proc}`) : proc; }

/**
 * Returns the element of a line with its indentation. A long line is wrapped, and its continuation indented a
 * little more.
 * @param {string} text
 */
export function codeLine(text) {
  const words = text.trimStart();
  const item = html("li", {}, words);
  item.style.paddingInlineStart = `${0.6 * (text.length - words.length) + 1.9}em`;
  return item;
}

/** Marks one line, visually and for screen readers. @param {Element} list @param {number} which */
function mark(list, which) {
  [...list.children].forEach((item, i) => {
    item.classList.toggle("ran", i === which);
    if (i === which) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}

/** Fetches the description of an algorithm. @param {string} algorithm @returns {Promise<Known>} */
async function load(algorithm) {
  const lines = await import("./code-lines.js"); // not needed for the first paint
  const { code, idea } = await lines.load(algorithm);
  return { lines, code, idea };
}
