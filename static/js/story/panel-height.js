// @ts-check
/**
 * The height of the panel beside the lanes: from its top to the player. It depends on the
 * free space in the window, never on the content, so that the story does not move a lane.
 * The space below the lanes' top when nothing is scrolled is in the custom property
 * --free: a large lane fills it.
 */

/** The gap above the player, in pixels. */
const GAP = 11;

/** Keeps the panel's height up to date. @param {HTMLElement} box the panel */
export function keepHeight(box) {
  const player = document.querySelector(".player");
  const beside = matchMedia("(min-width: 1101px)");
  let asked = false;
  const set = () => {
    asked = false;
    updateFree(player);
    if (!beside.matches) return box.style.removeProperty("height");
    const below = player ? player.getBoundingClientRect().height : 0;
    const top = Math.max(GAP, box.getBoundingClientRect().top);
    box.style.height = `${Math.round(innerHeight - below - top - GAP)}px`;
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(set);
    asked = true;
  };
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  const around = new ResizeObserver(ask); // opening a lesson moves the lanes
  for (const box of document.querySelectorAll(".about, .guide, .player")) around.observe(box);
  ask();
}

let free = "";

/** Updates --free. @param {Element|null} player */
function updateFree(player) {
  const lanes = document.getElementById("lanes");
  const below = player ? player.getBoundingClientRect().height : 0;
  const now = `${Math.round(innerHeight - below - (lanes ? lanes.getBoundingClientRect().top + scrollY : 0) - GAP)}px`;
  if (now !== free) document.documentElement.style.setProperty("--free", now);
  free = now;
}
