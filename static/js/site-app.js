// @ts-check
/**
 * The entry point of the pages of the static site. It starts the same page as app.js, with an engine in the
 * browser instead of a server.
 */
import { useTransport } from "./core/transport.js";
import { workerTransport } from "./site/transport.js";

export { openSocket, request } from "./core/transport.js"; // for programs that drive the page

const { script = "" } = document.body.dataset; // of the page, relative to this one
useTransport(workerTransport(document.body.dataset));
await import(script);
