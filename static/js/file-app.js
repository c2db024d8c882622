// @ts-check
/** The entry point of a page that is a single file: the run in it takes the place of the server. */
import { start } from "./app.js";
import { ofFile, recordedFeatures } from "./recorded/feature.js";

start([...recordedFeatures(), ofFile]);
