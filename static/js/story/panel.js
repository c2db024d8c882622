// @ts-check
/**
 * A feature of the page: the panel beside the lanes, with its tabs, the story, the log and the history of a
 * timer.
 */
import { byId } from "../core/dom.js";
import { Legend } from "./legend.js";
import { Life } from "./life.js";
import { Log } from "./log.js";
import { Tabs } from "./tabs.js";
import { keepHeight } from "./panel-height.js";

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export function panel(app) {
  const log = new Log(app);
  const life = new Life(app);
  const legend = new Legend(app.store);
  app.life = life; // for other displays of the followed timer
  const opened = (/** @type {string} */ name) => {
    log.open(name === "log");
    app.loop.ask();
  };
  const tabs = new Tabs(opened);
  app.tabs = tabs; // for features that open a tab of the panel
  keepHeight();
  return {
    begin: () => { log.begin(); life.begin(); },
    moved: () => { log.moved(); legend.moved(); },
    act: (action) => {
      if (action === "legend") byId("legend").togglePopover();
      return action === "legend";
    },
    draw: () => { app.story.draw(); log.draw(); life.draw(); },
  };
}
