// @ts-check
/**
 * The button that opens the dialog with all scenarios. The modules of the dialog are imported when the button
 * is first used.
 */
import { byId } from "../core/dom.js";
import { t } from "../core/texts.js";

/**
 * Creates the feature.
 * @param {any} app @param {() => Promise<{make: (app: any) => {open: () => void}}>} load imports the dialog
 * @returns {import("./feature.js").Feature}
 */
export function scenarioButton(app, load) {
  /** @type {{open: () => void}|undefined} */
  let picker;
  byId("scenario").addEventListener("click", async () => {
    const module = picker ? null : await load().catch(() => null);
    if (!picker && !module) return app.problem(t("pane.failed"));
    picker ??= module?.make(app);
    picker?.open();
  });
  return {};
}
