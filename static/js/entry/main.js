// @ts-check
/** The entry point of the entry view: reads what the server has written into the page, and starts. */
import { byId } from "../core/dom.js";
import { setTexts } from "../core/texts.js";
import { useTransport } from "../core/transport.js";
import { listenForDrops } from "./drop.js";
import { Place } from "./place.js";
import { start } from "./start.js";
import { LabLink, RecordedLink } from "./transport.js";
import { Window, learn } from "../picture/window.js";

/** @param {string} id */
const data = (id) => JSON.parse(byId(id).textContent);

setTexts(data("texts"));
const [run, events] = [data("run"), data("events")];
const names = new Map();
learn(names, events.names);
if (run.names) learn(names, run.names);
const { base = "", scenario = "", lang = "en", engine = "", transport = "" } = document.body.dataset;
/** On the static site, the page plays before the engine has arrived. */
const ready = transport ? import(transport).then(({ workerTransport }) => useTransport(workerTransport(document.body.dataset))) : undefined;
const place = new Place(base, scenario, lang);
const whole = events.from === 0 && events.end;
const win = new Window(run, whole ? events.rows : [], names, whole ? events.costs : [], null, whole);
const plays = run.plays && !["scenario", "run", "t", "seq"].some((name) => place.parameter(name) !== null);
const app = start(win, place, (receiver) => (engine === "none" ? new RecordedLink() : new LabLink(receiver, ready)), plays, Boolean(run.names));
listenForDrops((text) => app.say(text));
