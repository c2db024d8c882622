// @ts-check
/**
 * The features of the lab page, and the panes and sheets that are imported when they are first
 * opened. This module and app.js are the only ones that know all parts of the page.
 */
import { embed } from "./embed.js";
import { Looking } from "./looking.js";
import { Views } from "./pictures/views.js";
import { costBars } from "./cost-bars.js";
import { Following } from "./follow/following.js";
import { Until } from "./player/until.js";
import { panel } from "./story/panel.js";
import { Making } from "./making.js";
import { Panes } from "./panes.js";
import { Share } from "./share.js";
import { runVerdict } from "./run-verdict.js";
import { savePicture } from "./save-picture.js";
import { themes } from "./theme.js";

/** @type {Record<string, import("./panes.js").LoadPane>} */
const PANES = {
  compare: () => import("./compare/compare-pane.js"),
  lessons: () => import("./lessons/lessons-pane.js"),
  quiz: () => import("./lessons/quiz-pane.js"),
};

/** @type {Record<string, import("./making.js").LoadSheet>} */
const SHEETS = {
  "lanes-sheet": () => import("./making/lanes.js"),
  "workload-sheet": () => import("./making/workload.js"),
  "branches-sheet": () => import("./making/branches-sheet.js"),
  "film-sheet": () => import("./film/film-sheet.js"),
};

/** @type {((app: any) => import("./feature.js").Feature)[]} */
export const features = [
  costBars,
  panel,
  (app) => new Following(app),
  (app) => (app.panes = new Panes(app, PANES)),
  themes,
  runVerdict,
  (app) => (app.making = new Making(app, SHEETS)),
  (app) => new Share(app),
  (app) => new Until(app),
  (app) => new Views(app),
  (app) => new Looking(app),
  savePicture,
  embed,
];
