// @ts-check
/**
 * Independent parts of the page. Each is created once with the app, and notified of
 * events. A feature may implement any of these methods:
 *
 *   begin()            another run is displayed: store.hello is new
 *   moved()            the cursor moved: store.tick, store.seq, store.lanes
 *   told(message)      the store accepted a message: "timeline", "player", "ack", …
 *   draw()             in each frame; true requests another frame
 *   act(action, held)  a key action of keys.js; true if it was handled
 *
 * Modules not needed for the first paint are imported when they are first used.
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

/** @typedef {{begin?: () => void, moved?: () => void, told?: (message: any) => void, draw?: () => boolean|void, act?: (action: string, held: boolean) => boolean}} Feature */

/** @type {((app: any) => Feature)[]} */
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
