// @ts-check
/**
 * Asks the user before a large scenario in a URL is opened, since any page can contain a link to such a URL
 * or show it in a frame. The server estimates the size of the run. Above the limits, the user sees the
 * estimate and decides. The user also decides whether a wheel in JavaScript runs that a URL or a file contains.
 */
import { byId, setText } from "../core/dom.js";
import { lineOf, sendText } from "../core/load.js";
import { t } from "../core/texts.js";

/** Maximum number of events of a run that is opened without confirmation, if the server has not sent its limit. */
const EVENTS_MAX = 2_000_000;
/** Maximum memory of such a run, in bytes, if the server has not sent its limit. */
const BYTES_MAX = 64 << 20;

/** Names of the units of memory in Intl. Each is 1,000 times the previous one. */
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"];

/** The answer of the dialog that was shown last. Its close event comes some time after it has closed. @type {Promise<boolean>} */
let answered = Promise.resolve(false);
/** Number of URLs processed so far. Only the newest URL is opened. */
let processed = 0;

/**
 * Decides whether to open a shared scenario, and asks the user if its run is large. `open` is the decision. If the
 * server refuses the scenario or is unreachable, `why` is the reason.
 * @param {any} app @param {string} text text of the scenario @param {URL} address URL that contains it
 * @returns {Promise<{open: boolean, why?: string}>}
 */
export async function mayOpen(app, text, address) {
  const turn = ++processed;
  dismiss();
  const answer = await sendText(app, "estimate", text);
  if (turn !== processed) return { open: false };
  if (!answer) return { open: false, why: t("error.link") };
  if (!answer.ok) return { open: false, why: await lineOf(answer) };
  const need = await answer.json();
  if (turn !== processed) return { open: false };
  const { sharedEvents = EVENTS_MAX, sharedBytes = BYTES_MAX } = app.store.hello?.limits ?? {};
  if (need.events <= sharedEvents && need.bytes <= sharedBytes && !need.own) return { open: true };
  return { open: await ask(app, need, address) };
}

/** Reports whether a scenario has a wheel in JavaScript. @param {string} text */
export function hasOwn(text) {
  try {
    return JSON.parse(text).lanes.some((/** @type {any} */ lane) => lane.algorithm === "own");
  } catch {
    return false; // the server refuses the text
  }
}

/** Asks whether the wheel in JavaScript of a file may run. @param {string} file name of the file @returns {Promise<boolean>} */
export function mayRun(file) {
  setText(byId("large-cost"), "");
  return decided({ title: file, own: true }, new URL(location.href));
}

/**
 * Shows the estimate for a scenario. Resolves to true if the user opens the scenario.
 * @param {any} app @param {any} need @param {URL} address
 */
function ask(app, need, address) {
  setText(byId("large-cost"), t("large.cost", {
    lanes: need.lanes, timers: numberWords(need.timers, app.lang), events: numberWords(need.events, app.lang), bytes: bytesWords(need.bytes, app.lang),
  }));
  return decided(need, address);
}

/** Closes the dialog, if it is open. */
function dismiss() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("large"));
  if (dialog.open) dialog.close("");
}

/**
 * Shows the dialog. Resolves to true if the user opens the scenario.
 * @param {{title?: string, name?: string, own?: boolean}} need @param {URL} address @returns {Promise<boolean>}
 */
async function decided(need, address) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("large"));
  do {
    dismiss();
    await answered;
  } while (dialog.open);
  setText(byId("large-title"), t(need.own ? "own.ask.title" : "large.title"));
  setText(byId("large-name"), need.title || need.name || t("scenario.unnamed"));
  setText(byId("large-why"), t(need.own ? "own.ask.why" : "large.why"));
  setText(byId("large-open"), t(need.own ? "own.ask.open" : "large.open"));
  offer(address);
  dialog.returnValue = "";
  answered = new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "open"), { once: true }));
  dialog.showModal();
  return answered;
}

/**
 * Offers a link that opens the URL in a separate window, which asks the user. In a frame, the surrounding
 * page could trick the user into clicking controls that are not visible.
 * @param {URL} address
 */
function offer(address) {
  const framed = window !== window.top;
  const own = new URL(address);
  own.searchParams.delete("embed");
  own.searchParams.delete("controls");
  byId("large-window").href = own.href;
  byId("large-window").hidden = !framed;
  byId("large-open").hidden = byId("large-open").disabled = framed;
}

/**
 * Formats a number. A large one is formatted with two digits and a word, such as "12 million".
 * @param {number} n @param {string} lang
 */
function numberWords(n, lang) {
  if (n < 1_000_000) return new Intl.NumberFormat(lang).format(n);
  return new Intl.NumberFormat(lang, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 2 }).format(n);
}

/** Formats an amount of memory with two digits: "180 MB". @param {number} n @param {string} lang */
function bytesWords(n, lang) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, n)) / 3));
  return new Intl.NumberFormat(lang, { style: "unit", unit: UNITS[power], maximumSignificantDigits: 2 }).format(n / 1000 ** power);
}
