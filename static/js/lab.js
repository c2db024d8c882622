// @ts-check
/** The entry point of the laboratory, with a server or, on the static site, an engine in the browser. */
import { features } from "./features.js";
import { start } from "./app.js";

start(features);
