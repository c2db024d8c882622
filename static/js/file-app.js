// @ts-check
/** The entry point of a page that is a single file: the run in it takes the place of the server. */
import { embed } from "./page/embed.js";
import { ofFile, recordedFeatures } from "./recorded/feature.js";
import { start } from "./app.js";

start([...recordedFeatures(), embed, ofFile]);
