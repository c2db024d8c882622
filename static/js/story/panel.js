// @ts-check
/**
 * A feature of the page: the panel beside the lanes, with its tabs, the story, the log and the history of a
 * timer.
 */
import { Life } from "./life.js";
import { Log } from "./log.js";
import { Rule } from "./rule.js";
import { Tabs } from "./tabs.js";

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export function panel(app) {
  const log = new Log(app);
  const life = new Life(app);
  const rule = new Rule(app);
  app.life = life; // for other displays of the followed timer
  const opened = (/** @type {string} */ name) => {
    log.open(name === "log");
    app.loop.ask();
  };
  const tabs = new Tabs(opened);
  app.tabs = tabs; // for features that open a tab of the panel
  return {
    begin: () => { log.begin(); life.begin(); },
    moved: () => log.moved(),
    draw: () => { app.story.draw(); log.draw(); life.draw(); rule.draw(); },
  };
}
