// @ts-check
/**
 * Imports a file: sends it to the server, and then opens the run. The server compares a trace with the run of
 * its scenario, and makes a scenario from a workload. A sheet shows the progress, and after that any invalid
 * lines or the first line of a trace that differs.
 */
import { button, byId, html, setText } from "../core/dom.js";
import { t } from "../core/texts.js";
import { upload } from "../core/transport.js";

/** Time after which the sheet is shown, in milliseconds. */
const SHOWN_AFTER_MS = 250;

/** The upload in progress. @type {import("../core/transport.js").Upload|null} */
let sending = null;

/**
 * Imports a file. If another import is in progress, it is aborted first.
 * @param {any} app @param {File} file @param {string} [lanes] digest of a run whose lanes are used for a workload
 * @param {boolean} [own] whether a wheel in JavaScript in the file may run
 * @returns {Promise<any>}
 */
export async function importFile(app, file, lanes = "", own = false) {
  abort();
  const before = app.store.run;
  begin(file.name);
  const timer = setTimeout(() => show(app), SHOWN_AFTER_MS);
  const answer = await send(app, file, lanes, own);
  clearTimeout(timer);
  if (!answer && sending) return; // the sheet belongs to another file now
  byId("import-progress").hidden = true;
  setText(byId("import-title"), file.name);
  if (!answer || answer.own) hide(app);
  if (!answer) return;
  if (answer.own) {
    const { mayRun } = await import("./arrival.js");
    return await mayRun(file.name) && importFile(app, file, lanes, true);
  }
  const values = { file: file.name };
  if (answer.faults) return show(app, faultsOf(answer, values));
  if (answer.diff) return show(app, differenceOf(app, answer, values));
  const fault = await app.edit("load", { run: answer.run }, { key: "branch.file", values });
  if (fault) return show(app, [html("p", { class: "error" }, fault.message || t("error.link"))]);
  if (answer.notes.length === 0) return done(app, answer.events ? t("import.verified", { ...values, n: answer.events }) : t("import.opened", values));
  show(app, notesOf(app, answer, file, before));
}

/** Makes the sheet. Closing it aborts the upload. @returns {import("../page/feature.js").Sheet} */
export const make = () => ({ close: abort });

/** Aborts the upload in progress, if there is one. */
function abort() {
  const request = sending;
  sending = null;
  request?.abort();
}

/** Resets the sheet for another file. @param {string} file */
function begin(file) {
  byId("problem").hidden = true; // hide the problem of the previous file
  byId("import-bar").removeAttribute("value");
  byId("import-progress").hidden = false;
  setText(byId("import-title"), t("import.title", { file }));
  setText(byId("import-said"), t("import.reading"));
  byId("import-result").replaceChildren();
}

/**
 * Sends a file and returns the answer. Returns null if the user has aborted the upload, or after showing that
 * the server is unreachable.
 * @param {any} app @param {File} file @param {string} lanes @param {boolean} own @returns {Promise<any>}
 */
async function send(app, file, lanes, own) {
  const bar = byId("import-bar");
  const address = `${app.base}/api/import?${new URLSearchParams({ name: file.name, lang: app.lang, ...(lanes ? { lanes } : {}), ...(own ? { own: "1" } : {}) })}`;
  const request = upload(address, file, (sent, all) => {
    [bar.max, bar.value] = [all, sent];
    setText(byId("import-said"), t(sent < all ? "import.part" : "import.last", { percent: Math.floor((100 * sent) / all) }));
  });
  sending = request;
  const answer = await request.done;
  const aborted = sending !== request;
  if (!aborted) sending = null;
  return answerOf(app, answer, aborted);
}

/**
 * Returns the server's answer, or null if there is none. A refusal is returned as a fault.
 * @param {any} app @param {{status: number, text: string}} answer @param {boolean} aborted
 */
function answerOf(app, { status, text }, aborted) {
  if ([200, 422].includes(status)) return JSON.parse(text);
  if (status > 0) return { faults: [text.trim()], count: 1 };
  if (!aborted) app.say(t("error.link"));
  return null;
}

/** Shows the sheet, with a result. @param {any} app @param {Node[]} [result] */
function show(app, result) {
  if (result) {
    setText(byId("import-said"), "");
    byId("import-result").replaceChildren(...result);
  }
  if (!byId("import").open) app.editor.open("import");
}

/** Closes the sheet. @param {any} app */
function hide(app) {
  if (byId("import").open) app.editor.close();
}

/** Closes the sheet and shows a message. @param {any} app @param {string} message */
function done(app, message) {
  hide(app);
  app.say(message);
}

/**
 * Returns elements that describe the faults of a file.
 * @param {any} answer answer of the server @param {{file: string}} values name of the file, for the texts
 */
function faultsOf({ faults, count }, values) {
  const parts = [html("p", { class: "error", role: "alert" }, t("import.bad", { ...values, n: count })), listOf(faults)];
  if (count > faults.length) parts.push(html("p", {}, t("import.more", { n: count - faults.length })));
  return parts;
}

/** Creates a list element (`ul`) with an item for each line. @param {string[]} lines */
function listOf(lines) {
  return html("ul", { class: "faults" }, ...lines.map((line) => html("li", {}, line)));
}

/**
 * Returns elements that describe the first line of a trace that differs from its run.
 * @param {any} app @param {any} answer @param {{file: string}} values
 */
function differenceOf(app, { run, diff }, values) {
  const { line, event = 0, got, want } = diff;
  const head = html("p", { class: "error", role: "alert" }, t(event ? "import.event" : "import.line", { ...values, line, event }));
  const lines = html("dl", { class: "sides" });
  for (const [key, text] of [["import.got", got], ["import.want", want]]) {
    lines.append(html("div", {}, html("dt", {}, t(key)), html("dd", {}, html("code", {}, text || t("import.nothing")))));
  }
  const open = button({}, t(event ? "import.open.event" : "import.open", { event }), async () => {
    hide(app);
    const fault = await app.edit("load", { run }, { key: "branch.file", values });
    if (!fault && event) app.send("seek", { seq: event });
  });
  return [head, lines, open];
}

/**
 * Returns elements with the notes about a scenario that was made from a workload, and a button that imports the
 * file again with the lanes of another run.
 * @param {any} app @param {any} answer @param {File} file
 * @param {string} before digest of that run, which was displayed before the import
 */
function notesOf(app, { notes }, file, before) {
  const lanes = button({}, t("import.lanes"), () => importFile(app, file, before));
  return [html("p", {}, t("import.opened", { file: file.name })), listOf(notes), lanes];
}
