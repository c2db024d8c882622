// @ts-check
/**
 * Sets custom properties of the page to sizes that style sheets can't compute. --player is the height of the
 * player. --free is the height available to the lanes above the player when the page is scrolled to the top. Both
 * depend on the window and not on the story, so that the story does not move the lanes.
 */

/** Space above the player, in pixels. */
const GAP = 8;

/** Keeps the custom properties up to date. */
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
