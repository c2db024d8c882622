// @ts-check
/** The entry point of the lab page in the static site: the page of app.js with an engine instead of a server. */
import { useTransport } from "./core/transport.js";
import { workerTransport } from "./site/transport.js";

useTransport(workerTransport(document.body.dataset));
await import("./app.js");
