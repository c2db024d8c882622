// @ts-check
/** The entry point of a page that is a single file: the run in it takes the place of the server. */
import { embed } from "./page/embed.js";
import * as play from "./learn/lecture.js";
import { lectureOfFile, ofFile, recordedFeatures } from "./recorded/feature.js";
import { recorded } from "./recorded/recording.js";
import { start } from "./app.js";

start([...recordedFeatures(), ...(recorded().lecture ? [(/** @type {any} */ app) => lectureOfFile(app, play)] : []), embed, ofFile]);
