// @ts-check
/**
 * Sizes that style sheets can't know, as custom properties of the page: --player is the
 * height of the player, --free that of the window below the lanes' top and above the
 * player when nothing is scrolled. They depend on the window, never on the story, so that
 * the story does not move a lane.
 */

/** The gap above the player, in pixels. */
const GAP = 8;

/** Keeps the sizes up to date. */
export function keepHeight() {
  const player = document.querySelector(".player");
  const desk = document.querySelector(".desk");
  const { style } = document.documentElement;
  const set = () => {
    const below = player ? player.getBoundingClientRect().height : 0;
    const top = desk ? desk.getBoundingClientRect().top + scrollY : 0;
    style.setProperty("--player", `${Math.round(below)}px`);
    style.setProperty("--free", `${Math.round(innerHeight - below - top - 2 * GAP)}px`);
  };
  addEventListener("resize", set);
  const around = new ResizeObserver(set); // opening a lesson moves the lanes
  for (const box of document.querySelectorAll(".about, .guide, .player")) around.observe(box);
}
