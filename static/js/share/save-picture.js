// @ts-check
/**
 * A feature of the page: saves the picture of a lane at the cursor. The server renders an SVG. For a PNG, the
 * browser paints the SVG with the user's fonts.
 */
import { download, byId, html } from "../core/dom.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";

/** Width of a saved picture, in pixels. */
const WIDE = 1600;

class SavePicture {
  #lanes = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.lane = byId("picture-lane");
    for (const as of ["svg", "png"]) byId(`picture-${as}`).addEventListener("click", () => this.#save(as));
  }

  /** Lists the lanes of another run. The selected lane remains selected if it exists. */
  begin() {
    const ids = this.app.store.infos.map((/** @type {any} */ info) => info.id);
    if (ids.join("\n") === this.#lanes) return;
    this.#lanes = ids.join("\n");
    const chosen = this.lane.value;
    this.lane.replaceChildren(...ids.map((/** @type {string} */ id) => html("option", { value: id }, id)));
    if (ids.includes(chosen)) this.lane.value = chosen;
  }

  /** Saves the picture in a format, "svg" or "png". @param {string} as */
  async #save(as) {
    const { app, lane } = this;
    const { run, tick, seq } = app.store;
    const query = new URLSearchParams({ run, lane: lane.value, t: tick, seq, as: "svg", theme: themeNow(), size: String(WIDE), lang: app.lang });
    const answer = await request(`${app.base}/picture?${query}`).catch(() => null);
    if (!answer?.ok) return app.say(answer ? (await answer.text()).trim() : t("picture.offline"));
    const picture = await answer.blob();
    const made = as === "svg" ? picture : await painted(picture).catch(() => null);
    if (made) download(made, `${lane.value}-${tick}.${as}`);
    else app.say(t("picture.failed"));
  }
}

/** Returns the displayed theme. */
function themeNow() {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark" || theme === "contrast") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Converts an SVG picture to PNG. @param {Blob} picture @returns {Promise<Blob|null>} */
async function painted(picture) {
  const image = new Image();
  const address = URL.createObjectURL(picture);
  try {
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export const savePicture = (app) => new SavePicture(app);
