// @ts-check
/**
 * The features of a page of the static site that shows a recorded run. The page has the features of an
 * exported HTML file, and a feature that describes the recording and seeks to the position in the page's URL.
 */
import { byId, html } from "./core/dom.js";
import { ofRecording } from "./offline/of-file.js";
import { shared } from "./offline/features.js";
import { t } from "./core/texts.js";
import { unpacked } from "./offline/file.js";

/**
 * Creates the feature that describes the recording.
 * @param {any} app @returns {import("./page/feature.js").Feature}
 */
function recorded(app) {
  const { events } = unpacked().score;
  byId("problem").after(html("p", { class: "link recorded", role: "note" }, t("site.recorded", { events: events.toLocaleString("en") })));
  const query = new URLSearchParams(location.search);
  let opened = false;
  return {
    ...ofRecording(app),
    begin() {
      if (opened || location.hash) return; // the fragment has a later position
      opened = true;
      queueMicrotask(() => { // after the first state
        if (query.has("seq")) app.send("seek", { seq: Number(query.get("seq")) });
        else if (query.has("t")) app.send("seek", { tick: Number(query.get("t")) });
      });
    },
  };
}

export const features = [...shared, recorded];
