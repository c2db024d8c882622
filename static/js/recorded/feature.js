// @ts-check
/** The page of a recorded run: its transport, its features, and what takes the place of the functions of a server. */
import { KEPT } from "../core/embedding.js";
import { byId, html } from "../core/dom.js";
import { ROW } from "../core/protocol.js";
import { themes } from "../core/theme.js";
import { useTransport } from "../core/transport.js";
import { t } from "../core/texts.js";
import { URLWriter } from "../core/url-writer.js";
import { NodeCard } from "../inspect/node-card.js";
import { SlotCard } from "../inspect/slot-card.js";
import { Zooming } from "../inspect/zooming.js";
import { Lectures } from "../page/lectures.js";
import { Views } from "../page/views.js";
import { panel } from "../story/panel.js";
import { Recording, parametersIn, inFile, listen, positionIn, recorded } from "./recording.js";
import { RecordedSocket } from "./session.js";

/** @typedef {(app: any) => import("../page/feature.js").Feature} MakeFeature */

/**
 * Makes a recorded run answer the page instead of a server, and returns the features of the page.
 * @returns {MakeFeature[]}
 */
export function recordedFeatures() {
  const { run, runs = {}, knowledge } = recorded();
  const socket = new RecordedSocket(new Recording(run), document.body.dataset.lang ?? "en");
  globalThis.fetch = async (address) => {
    const known = /knowledge\/([\w-]+)\.json$/.exec(String(address));
    const [, what, query] = /\/api\/(\w+)\?(.*)$/.exec(String(address)) ?? [];
    const answer = known ? knowledge[known[1]] : socket.recording.answer(what, Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, Number(value)])));
    return answer ? Response.json(answer) : new Response("", { status: 404 });
  };
  useTransport({ request: (address) => fetch(address), socket: () => socket, upload: () => { throw new Error("a recorded run takes no files"); } });
  document.body.classList.add("offline");
  document.body.classList.toggle("uncosted", ![run, ...Object.values(runs)].every((one) => one.costed));
  return [panel, themes, (app) => (app.views = new Views(app)), (app) => new SlotCard(app), (app) => new NodeCard(app), (app) => new Zooming(app), (app) => place(app, socket)];
}

/** The feature that keeps the place in the fragment of the URL, since only a server could read the query. @param {any} app @param {RecordedSocket} socket */
function place(app, socket) {
  app.url = new URLWriter(() => (app.store.hello ? `#${fragment(app)}` : ""));
  listen((hash) => {
    const { recording } = socket;
    const { tick, seq } = positionIn(recording, hash);
    if (app.lectures) app.lectures.open("file", stopIn(hash));
    else app.send("seek", seq === recording.win.lastSeq(tick) && tick >= 0 ? { tick } : { seq });
  });
  for (const kind of ["dragenter", "dragover", "drop"]) {
    addEventListener(kind, (event) => { // before the page, which would open the file
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true });
  }
  const { trace } = recorded();
  if (trace) {
    const { href, name } = trace;
    const link = html("a", { class: "plain", href: "#", download: name, "data-offline": "" }, `↓ ${t("offline.trace", { file: name.slice(name.lastIndexOf(".jsonl")) })}`);
    link.addEventListener("click", () => link.setAttribute("href", href()), { once: true });
    byId("summary").after(html("p", {}, link));
  }
  return {};
}

/** Returns the fragment of the page's place. @param {any} app @param {URLSearchParams} [other] parameters that differ */
function fragment(app, other) {
  const kept = [...parametersIn()].filter(([name]) => KEPT.includes(name));
  const at = app.lectures ? { stop: (app.lectures.played?.at ?? 0) + 1 } : { t: app.store.tick, seq: app.store.seq };
  return new URLSearchParams(/** @type {any} */ ({ ...Object.fromEntries(kept), ...at, lang: app.lang, view: "lab", ...Object.fromEntries(other ?? []) }));
}

/** Returns the index of the stop that a fragment names, or 0. @param {string} [hash] */
const stopIn = (hash) => Math.max(0, (Number(parametersIn(hash).get("stop")) || 1) - 1);

/**
 * The feature of a file with a lecture, which plays it.
 * @param {any} app @param {typeof import("../learn/lecture.js")} play
 */
export const lectureOfFile = (app, play) => new Lectures(app, async () => play, { lecture: recorded().lecture, stop: stopIn() });

/**
 * The feature of a page that is a single file: says what the file is, and leads to its other language and view.
 * @type {MakeFeature}
 */
export function ofFile(app) {
  const { run, runs, lecture } = recorded();
  const about = byId("summary").closest(".about");
  const what = lecture && runs
    ? t("offline.lecture", { stops: lecture.stops.length, runs: Object.keys(runs).length })
    : t("offline.what", { events: (run.rows.length / ROW).toLocaleString("en"), run: run.run });
  about?.append(html("p", { class: "hint offline-what" }, `${what}${run.costed || run.note ? "" : ` ${t("offline.uncosted")}`}`));
  if (run.note) {
    const line = (/** @type {string} */ key, /** @type {string} */ text) => html("p", {}, `${t(key)} `, html("code", {}, text));
    about?.append(html("div", { class: "problem offline-note", role: "note" }, html("b", {}, run.note.what[app.lang] ?? run.note.what.en), line("offline.note.file", run.note.file), line("offline.note.run", run.note.run)));
  }
  inFile();
  for (const link of /** @type {Iterable<HTMLAnchorElement>} */ (document.querySelectorAll("[data-lang-to], #simple"))) {
    link.addEventListener("click", (event) => {
      event.stopImmediatePropagation();
      const other = parametersIn(link.hash);
      for (const name of ["t", "seq", "stop"]) other.delete(name);
      link.hash = String(fragment(app, other));
    }, { capture: true });
  }
  return { begin: inFile };
}

/** The feature of a page of the static site, whose engine can't compute the run. @type {MakeFeature} */
export function ofSite() {
  byId("problem").after(html("p", { class: "link recorded", role: "note" }, t("site.recorded", { events: (recorded().run.rows.length / ROW).toLocaleString("en") })));
  return {};
}
