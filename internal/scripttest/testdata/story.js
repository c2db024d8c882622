// Describes every event of a trace with the page's own modules; story_test.go checks
// the results. Defines describeTrace and whyTrace for the tests to call.
(async () => {
  const [{ rowOf }, { applyRow }, { emptyLane }, { ROW, cell }, { KIND, CODES }, { setTexts }, { describe, nextWords }, { StoryEvent }, { eventSentence }, { formulas }, { lineOf }] = await Promise.all(
    ["../test/trace.js", "state/fold.js", "state/lane-state.js", "core/protocol.js", "state/kinds.js", "core/texts.js", "story/step.js", "story/event.js", "story/sentence.js", "story/formulas.js", "story/code-lines.js"].map((m) => load(m)));

  /** The faults of a text. */
  function wrong(text, catalogue) {
    if (!text) return "nothing is described";
    if (/undefined|NaN|\[object|null/.test(text)) return "a value is missing";
    if (/\{\w+/.test(text)) return "a name is not filled in";
    return text in catalogue || /^[a-z]+(\.[a-z]+)+$/.test(text) ? "a text is missing" : "";
  }

  /** What the story of a finding must have: the value expected (due) and the value got (x). */
  const NAMED_OF = { early: ["due", "x"], late: ["due", "x"], lost: [], twice: ["due", "x"], storm: ["x"], stuck: ["x"], panic: [], revived: [] };

  /** Numbers of an event that its story must have. */
  function named(row, info, name) {
    const kind = cell(row, 0, "kind");
    const words = [];
    if (cell(row, 0, "id") > 0 && kind !== KIND.finding) words.push(name);
    if (kind === KIND.finding) words.push(...NAMED_OF[CODES[cell(row, 0, "code")]].map((column) => String(cell(row, 0, column))));
    if (kind === KIND.schedule || kind === KIND.reject) words.push(String(cell(row, 0, "due")));
    if (info.shape === "ring" && kind === KIND.place && cell(row, 0, "toLevel") >= 0) words.push(String(cell(row, 0, "toSlot")));
    if (info.shape === "ring" && kind === KIND.cascade) words.push(String(cell(row, 0, "toSlot")));
    return words;
  }

  /**
   * Folds and describes the events one after another.
   * @returns {{described: number, faults: string[], formulas: string[], placed: number, explained: number}}
   */
  globalThis.describeTrace = async (trace, infos, levels, code, texts, most) => {
    setTexts(texts);
    const [header, ...events] = trace.trim().split("\n", most + 1).map((line) => JSON.parse(line));
    const lanes = levels.map((l) => Object.assign(emptyLane(l), { counts: Array(9).fill(0) }));
    const names = new Map();
    const tale = { infos, lanes, start: header.scenario.start ?? 0, length: header.scenario.tick, name: (id) => names.get(id) ?? `#${id}` };
    const out = { described: 0, faults: [], formulas: new Set(), placed: 0, explained: 0, bare: [] };
    let step = [];
    for (const event of events) {
      if (event.kind === "end") break;
      const lane = infos.findIndex((info) => info.id === event.lane);
      const row = rowOf(event);
      row[2] = lane;
      if (event.id) names.set(event.id, event.timer);
      applyRow(lanes[lane], row);
      if (step.length > 0 && (event.tick !== cell(step, step.length - ROW, "tick") || step.length > 300 * ROW)) step = [];
      step.push(...row);
      const fault = (what) => out.faults.length < 20 && out.faults.push(`seq ${event.seq} ${event.kind} in ${event.lane}: ${what}`);
      const alone = new StoryEvent(row, 0, tale);
      const { headline, why, where, parts } = describe(row, tale);
      const all = [headline, where, why, eventSentence(alone), ...parts.flatMap((p) => [...p.lines, p.why])];
      for (const text of all) if (wrong(text, texts)) fault(`${wrong(text, texts)}: ${JSON.stringify(text)}`);
      const whole = all.join(" ");
      for (const word of named(row, infos[lane], event.timer)) if (!whole.includes(word)) fault(`${JSON.stringify(word)} is not in ${JSON.stringify(whole)}`);
      if (code[infos[lane].algorithm] && lineOf(code[infos[lane].algorithm], row, 0) < 0) fault("no line of code");
      const lines = formulas(alone);
      for (const line of lines) out.formulas.add(line);
      const reckoned = infos[lane].shape === "ring" && infos[lane].algorithm !== "lk668" && event.due >= event.tick; // lk668 computes with values that no event has
      if (reckoned && (event.kind === "place" || event.kind === "cascade") && row[7] >= 0) {
        out.placed++;
        if (lines.length > 0) out.explained++;
        else if (out.bare.length < 5) out.bare.push(`seq ${event.seq} in ${event.lane}`);
      }
      const whole2 = describe(step, tale);
      if (wrong(whole2.headline, texts)) fault(`of the tick so far: ${wrong(whole2.headline, texts)}: ${whole2.headline}`);
      const next = nextWords(row, tale);
      if (wrong(next.words, texts)) fault(`what comes next: ${wrong(next.words, texts)}: ${next.words}`);
      out.described++;
    }
    return { ...out, formulas: [...out.formulas] };
  };

  /** Why each event happened, by "lane kind timer". */
  globalThis.whyTrace = async (trace, infos, levels, texts) => {
    setTexts(texts);
    const [header, ...events] = trace.trim().split("\n").map((line) => JSON.parse(line)).filter((e) => e.kind !== "end");
    const lanes = levels.map((l) => Object.assign(emptyLane(l), { counts: Array(9).fill(0) }));
    const names = new Map(events.map((e) => [e.id, e.timer]));
    const tale = { infos, lanes, start: header.scenario.start ?? 0, length: header.scenario.tick, name: (id) => names.get(id) };
    const reasons = {};
    for (const event of events) {
      const row = rowOf(event);
      row[2] = infos.findIndex((info) => info.id === event.lane);
      applyRow(lanes[row[2]], row);
      reasons[`${event.lane} ${event.kind} ${event.timer}`] = describe(row, tale).why;
    }
    return reasons;
  };
})()
