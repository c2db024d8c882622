// @ts-check
/**
 * Opens a shared URL: loads the scenario unless it is already displayed, restores the cursor, the followed
 * timer and the view, and compares the digest of the run with that in the URL. If the URL is invalid, the
 * error is shown and the displayed run does not change.
 */
import { AddressError, unpack } from "../core/pack.js";
import { lineOf, requestComputed } from "../core/requests.js";
import { DIGITS, readFragment } from "../core/fragment.js";
import { t } from "../core/texts.js";
import { byId, setText } from "../core/dom.js";
import { sendText } from "../core/load-command.js";

/** Maximum size of a scenario in bytes, if the server has not sent its limit. */
const SCENARIO_MAX = 16 << 20;

/**
 * Returns the Arrival that processes a URL. If the fragment of the URL can't be read, shows the error and
 * returns null.
 * @param {import("./share.js").Share} share @param {URL} address
 */
export async function arrivalOf(share, address) {
  const { searchParams, hash } = address;
  const cursor = { tick: whole(searchParams.get("t")), seq: whole(searchParams.get("seq")) };
  try {
    const shared = readFragment(hash);
    const max = share.app.store.hello?.limits.scenarioBytes ?? SCENARIO_MAX;
    const text = shared.packed ? await unpack(shared.packed, max) : "";
    return new Arrival(share, shared, text, cursor, address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    share.show("bad", t("share.bad", { why: t(error.key, error.values) }));
    return null;
  }
}

/**
 * Converts the text of a tick or an event number to a number. Returns 0 unless it is an integer that is
 * exactly representable.
 * @param {string|null} text
 */
const whole = (text) => (text !== null && /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 0);

export class Arrival {
  /** The next step: load the scenario, ask the user, wait for the run, or restore the view. @type {"load"|"asking"|"loading"|"place"|"done"} */
  #left = "load";
  /** Digest of the run that was displayed before the URL was processed. */
  #before = "";

  /**
   * @param {import("./share.js").Share} share @param {import("../core/fragment.js").Shared} shared
   * @param {string} text text of the scenario, or "" if the URL names a built-in one
   * @param {{tick: number, seq: number}} cursor @param {URL} address
   */
  constructor(share, shared, text, cursor, address) {
    this.share = share;
    this.app = share.app;
    this.shared = shared;
    this.text = text;
    this.cursor = cursor;
    this.address = address;
  }

  /**
   * Handles the display of a run. The first run is the one that the page displays when it processes the URL. If
   * the URL contains another scenario, the scenario is loaded, and the second run is that of the scenario.
   */
  begin() {
    if (this.#left === "asking" && this.app.store.run !== this.#before) this.#left = "done"; // the user opened another run
    if (this.#left === "done" || this.#left === "asking") return;
    const load = this.#left === "load" && this.text !== "" && this.app.store.run !== this.shared.run;
    this.#left = load ? "asking" : "place";
    if (load) this.#load();
    else if (this.app.store.lanes.length > 0) this.moved();
  }

  async #load() {
    const { tick, seq } = this.cursor;
    this.#before = this.app.store.run;
    const { open, why } = await mayOpen(this.app, this.text, this.address);
    if (this.#left !== "asking") return;
    this.#left = open ? "loading" : "done";
    if (!open && !why) return;
    const fault = why || await this.app.send("load", { text: this.text, ...(tick || seq ? { tick } : {}) });
    if (!fault) return;
    this.#left = "done";
    if (why) this.app.problem(why);
    this.share.show("bad", t("share.bad.scenario", { run: this.shared.run, here: this.#before }));
  }

  /** Restores the cursor and the view of the URL when the first state of the shared run has been received. */
  moved() {
    const { app, cursor } = this;
    if (this.#left !== "place") return;
    this.#left = "done";
    if (this.text && cursor.seq > 0 && app.store.seq !== cursor.seq) app.send("seek", { seq: cursor.seq });
    this.#view();
    this.#check();
  }

  #view() {
    const { app, shared } = this;
    const lanes = document.getElementById("lanes");
    if (shared.follow) app.follow.choose(shared.follow);
    if (shared.dial !== app.lanes.dial) this.#act("dial");
    if (shared.tables === Boolean(lanes?.hasAttribute("data-folded"))) this.#act("tables");
    const n = app.store.infos.findIndex((/** @type {{id: string}} */ info) => info.id === shared.large);
    if (n >= 0 && /** @type {HTMLElement|null|undefined} */ (lanes?.querySelector("section.large"))?.dataset.lane !== shared.large) this.#act(`large:${n + 1}`);
  }

  /** Executes a key action. @param {string} action */
  #act(action) { this.app.features.some((/** @type {import("../page/feature.js").Feature} */ f) => f.act?.(action, false)); }

  /** Shows whether the displayed run is identical to the shared one. */
  async #check() {
    const { share, app, shared: { run, sum } } = this;
    const current = app.store.run;
    if (current !== run) return share.show("bad", t("share.other", { shared: run, here: current }));
    if (!sum) return; // the address names no trace to compare
    const own = await traceDigest(app, current);
    if (app.store.run !== current) return; // another run was opened meanwhile
    if (own && own !== sum) return share.show("bad", t("share.differs", { shared: sum, here: own }));
    share.show("good", own ? t("share.same", { run, sum }) : t("share.scenario", { run }));
  }
}

/** Returns the first digits of the SHA-256 of a run's trace, or "" if the server can't provide it. @param {any} app @param {string} run */
export async function traceDigest(app, run) {
  const answer = await requestComputed(`${app.base}/api/digest?${new URLSearchParams({ run })}`, {}, { wanted: () => app.store.run === run });
  const header = answer?.ok ? await answer.json().catch(() => null) : null;
  return header ? header.sha256.slice(0, DIGITS) : "";
}

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
async function mayOpen(app, text, address) {
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
