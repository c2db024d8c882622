// @ts-check
/**
 * The parts of the page that stand on their own: each is made once with the app and
 * told what happens. A feature may have any of these; nothing else is asked of it.
 *
 *   begin()            another run is shown: store.hello is new
 *   moved()            the cursor moved: store.tick, store.seq, store.lanes
 *   told(message)      a message came that the store took: "timeline", "player", "ack", …
 *   draw()             in the frame; true asks for another frame
 *   act(action, held)  a key's action of keys.js; true when it was taken
 *
 * What is not needed at first paint imports its modules when it is opened.
 */

import { embed } from "./embed.js";
import { Looking } from "./looking.js";
import { Views } from "./pictures/views.js";
import { costBars } from "./cost-bars.js";
import { Following } from "./follow/following.js";
import { Until } from "./player/until.js";
import { panel } from "./story/panel.js";
import { making } from "./making.js";
import { panes } from "./panes.js";
import { Share } from "./share.js";
import { runVerdict } from "./run-verdict.js";
import { savePicture } from "./save-picture.js";
import { themes } from "./theme.js";

/** @typedef {{begin?: () => void, moved?: () => void, told?: (message: any) => void, draw?: () => boolean|void, act?: (action: string, held: boolean) => boolean}} Feature */

/** @type {((app: any) => Feature)[]} */
export const features = [
  costBars,
  panel,
  (app) => new Following(app),
  panes,
  themes,
  runVerdict,
  making,
  (app) => new Share(app),
  (app) => new Until(app),
  (app) => new Views(app),
  (app) => new Looking(app),
  savePicture,
  embed,
];
