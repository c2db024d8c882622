// @ts-check
/** The entry point of a page that is a single file: a session in the page takes the place of the server. */
import { Connection } from "./offline/link.js";
import { features } from "./offline/features.js";
import { start } from "./app.js";

start(/** @type {any} */ (Connection), features);
