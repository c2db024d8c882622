// @ts-check
/**
 * Replaces features.js in a page that is a single file: the features that need no server,
 * and those specific to such a page.
 */
import { Following } from "../follow/following.js";
import { NodeCard } from "../pictures/node-card.js";
import { SlotCard } from "../pictures/slot-card.js";
import { Views } from "../pictures/views.js";
import { Zooming } from "../pictures/zooming.js";
import { costBars } from "../cost-bars.js";
import { ofFile } from "./of-file.js";
import { panel } from "../story/panel.js";
import { themes } from "../theme.js";
import { unpacked } from "./file.js";

/** @type {((app: any) => import("../feature.js").Feature)[]} */
export const features = [
  ...(unpacked().score.stops || unpacked().score.recorded ? [] : [costBars]), // costs between stops, and of a trace as recorded, are unknown
  panel,
  (app) => new Following(app),
  themes,
  (app) => new Views(app),
  (app) => new SlotCard(app),
  (app) => new NodeCard(app),
  (app) => new Zooming(app),
  ofFile,
];
