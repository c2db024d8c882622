// @ts-check
/**
 * The entry point of the laboratory, with a server or, on the static site, an engine in the browser: its features, and the panes
 * and sheets that are imported when they are first opened. Only this module and app.js depend on all parts of the page.
 */
import { Share } from "./share/share.js";
import { embed } from "./page/embed.js";
import { Inspection } from "./inspect/inspection.js";
import { Views } from "./page/views.js";
import { Unroll } from "./page/unroll.js";
import { Until } from "./page/until.js";
import { panel } from "./story/panel.js";
import { Lectures } from "./page/lectures.js";
import { Editor } from "./edit/editor.js";
import { Panes } from "./page/panes.js";
import { runSummary } from "./compare/run-summary.js";
import { savePicture } from "./share/picture-file.js";
import { themes } from "./core/theme.js";
import { byId } from "./core/dom.js";
import { t } from "./core/texts.js";
import { start } from "./app.js";

/** @type {Record<string, import("./page/panes.js").LoadPane>} */
const PANES = {
  compare: () => import("./compare/compare-pane.js"),
  quiz: () => import("./learn/predict.js"),
};

/** @type {Record<string, import("./page/feature.js").LoadSheet>} */
const SHEETS = {
  "lanes-sheet": () => import("./edit/lanes.js"),
  "own-sheet": () => import("./own/sheet.js"),
  "workload-sheet": () => import("./edit/workload.js"),
  "branches-sheet": () => import("./edit/branches-sheet.js"),
  lectures: () => import("./learn/lectures-sheet.js"),
  share: () => import("./share/share-sheet.js"),
  import: () => import("./share/import-sheet.js"),
};

start([
  panel,
  (app) => new Lectures(app, () => import("./learn/lecture.js")),
  (app) => (app.panes = new Panes(app, PANES)),
  themes,
  runSummary,
  (app) => (app.editor = new Editor(app, SHEETS)),
  (app) => new Share(app),
  (app) => new Unroll(app),
  (app) => new Until(app),
  (app) => (app.views = new Views(app)),
  (app) => new Inspection(app),
  savePicture,
  (app) => scenarioButton(app, () => import("./gallery/picker.js")),
  embed,
]);

/**
 * Creates the feature.
 * @param {any} app @param {() => Promise<{make: (app: any) => {open: () => void}}>} load imports the dialog
 * @returns {import("./page/feature.js").Feature}
 */
function scenarioButton(app, load) {
  /** @type {{open: () => void}|undefined} */
  let picker;
  byId("scenario").addEventListener("click", async () => {
    const module = picker ? null : await load().catch(() => null);
    if (!picker && !module) return app.problem(t("pane.failed"));
    picker ??= module?.make(app);
    picker?.open();
  });
  return {};
}
