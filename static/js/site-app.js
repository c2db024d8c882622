// @ts-check
/** The entry point of the pages of the static site: the script of a server's page, with an engine instead of a server. */
import { useTransport } from "./core/transport.js";
import { workerTransport } from "./site/transport.js";

const { script = "" } = document.body.dataset; // of the page, relative to this one
useTransport(workerTransport(document.body.dataset));
await import(script);
