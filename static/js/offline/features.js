// @ts-check
/**
 * Stands in the place of features.js in a page that is a file: the parts of the page
 * that need no server, and what only a file has.
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

/** @type {((app: any) => import("../features.js").Feature)[]} */
export const features = [
  ...(unpacked().score.stops || unpacked().score.recorded ? [] : [costBars]), // costs between the stops, and of a trace as recorded, are not known
  panel,
  (app) => new Following(app),
  themes,
  (app) => new Views(app),
  (app) => new SlotCard(app),
  (app) => new NodeCard(app),
  (app) => new Zooming(app),
  ofFile,
];
