// @ts-check
/** Wheels to complete, one for each of the published schemes. A line with a question is what is left to do. */

/** Methods that every skeleton has at its end. They show the places of timers in the picture. */
const shown = (/** @type {string} */ layout) => `
    // For the picture.
    layout() { return ${layout}; },
    place(key) { return where.get(key); },
  };
}
`;

/** @type {Record<string, string>} */
export const SKELETONS = {
  simple: `// A simple wheel: one slot for each tick, for delays of less than one revolution.
function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []);
  const where = new Map(); // pending timers by key
  let now = start;
  return {
    schedule(key, due) {
      // Which delays does the wheel have no slot for? Return false for them.
      const timer = {key, level: 0, slot: 0}; // which slot?
      slots[timer.slot].push(timer);
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      slots[timer.slot] = slots[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        // The hand comes to a slot. Which timers fire, and what is left in it?
      }
      return fired;
    },
${shown("[{slots: n, width: 1}]")}`,
  rounds: `// A wheel with rounds: one array of slots for any delay. Each timer counts the revolutions that it still waits.
function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []);
  const where = new Map(); // pending timers by key
  let now = start;
  return {
    schedule(key, due) {
      const rounds = 0; // how many times does the hand pass over the timer before it fires?
      const timer = {key, level: 0, slot: due % n, rounds};
      slots[timer.slot].push(timer);
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      slots[timer.slot] = slots[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        const slot = now % n, stay = [];
        for (const timer of slots[slot]) {
          // Does it fire, or does it stay and lose a round?
          fired.push(timer.key);
          where.delete(timer.key);
        }
        slots[slot] = stay;
      }
      return fired;
    },
${shown("[{slots: n, width: 1}]")}`,
  hierarchical: `// A hierarchical wheel: a slot of a level covers a revolution of the level below it.
function create(start, params) {
  const n = params.slots, levels = params.levels;
  const slots = Array.from({length: levels}, () => Array.from({length: n}, () => []));
  const where = new Map(); // pending timers by key
  let now = start;
  const width = (level) => n ** level; // ticks of a slot

  // Puts a timer into its slot. It returns false if no level reaches that far.
  function put(timer) {
    for (let level = 0; level < levels; level++) {
      const ahead = Math.floor(timer.due / width(level)) - Math.floor(now / width(level)); // slots before the timer's
      if (ahead < n) {
        timer.level = level;
        timer.slot = Math.floor(timer.due / width(level)) % n;
        slots[level][timer.slot].push(timer);
        return true;
      }
    }
    return false;
  }

  return {
    schedule(key, due) {
      const timer = {key, due, level: 0, slot: 0};
      if (!put(timer)) return false;
      where.set(key, timer);
      return true;
    },
    cancel(key) {
      const timer = where.get(key);
      if (!timer) return false;
      where.delete(key);
      const list = slots[timer.level];
      list[timer.slot] = list[timer.slot].filter((other) => other !== timer);
      return true;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        now++;
        // When a slot of a coarse level begins, its timers are put again. When is that, and in which order of levels?
        const slot = now % n;
        for (const timer of slots[0][slot]) {
          fired.push(timer.key);
          where.delete(timer.key);
        }
        slots[0][slot] = [];
      }
      return fired;
    },
${shown("Array.from({length: levels}, (_, level) => ({slots: n, width: width(level)}))")}`,
};
