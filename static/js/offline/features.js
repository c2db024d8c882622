// @ts-check
/**
 * The features of a page that is a single file: it has the features that need no server, and
 * features of its own.
 */
import { Following } from "../page/following.js";
import { NodeCard } from "../inspect/node-card.js";
import { SlotCard } from "../inspect/slot-card.js";
import { Views } from "../page/views.js";
import { Zooming } from "../inspect/zooming.js";
import { costBars } from "../page/cost-bars.js";
import { embed } from "../page/embed.js";
import { ofFile } from "./of-file.js";
import { panel } from "../story/panel.js";
import { themes } from "../core/theme.js";
import { unpacked } from "./file.js";

/** The features of every page with a recorded run. @type {((app: any) => import("../page/feature.js").Feature)[]} */
export const shared = [
  ...(unpacked().score.stops || unpacked().score.recorded ? [] : [costBars]), // costs between stops, and of a trace as recorded, are unknown
  panel,
  (app) => new Following(app),
  themes,
  (app) => (app.views = new Views(app)),
  (app) => new SlotCard(app),
  (app) => new NodeCard(app),
  (app) => new Zooming(app),
];

export const features = [...shared, embed, ofFile];
