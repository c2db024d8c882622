// @ts-check
/**
 * Puts CodeMirror (js/vendor/codemirror, MIT) in the place of a text area when the sheet is first opened. It is in a shadow
 * root, where its style sheet needs no exception of the content security policy. The text area keeps the text, and
 * stays in use if CodeMirror cannot be fetched.
 */

/**
 * Shows an editor instead of area. The returned function shows the text of the area again, after a script has changed it.
 * @param {HTMLTextAreaElement} area @param {string} label @param {() => void} run what Ctrl+Enter does
 * @returns {Promise<() => void>}
 */
export async function editorOf(area, label, run) {
  /** @type {any} */
  const cm = await import(new URL("../../js/vendor/codemirror/codemirror.js", import.meta.url).href);
  const host = document.createElement("div");
  host.className = "own-editor";
  area.before(host);
  area.hidden = true;
  const root = host.attachShadow({ mode: "open" });
  const colours = cm.HighlightStyle.define([
    { tag: [cm.tags.keyword, cm.tags.controlKeyword, cm.tags.definitionKeyword], color: "var(--accent)", fontWeight: "600" },
    { tag: cm.tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: [cm.tags.number, cm.tags.bool, cm.tags.string], color: "var(--good)" },
  ]);
  const look = cm.EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--sunk)", fontSize: ".85rem" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused": { outline: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
    ".cm-matchingBracket": { outline: "1px solid var(--accent)" },
  });
  const view = new cm.EditorView({
    root, parent: root,
    state: cm.EditorState.create({
      doc: area.value,
      extensions: [
        cm.keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }, ...cm.defaultKeymap, ...cm.historyKeymap, cm.indentWithTab]),
        cm.lineNumbers(), cm.history(), cm.drawSelection(), cm.highlightActiveLine(), cm.indentOnInput(), cm.bracketMatching(), cm.indentUnit.of("  "),
        cm.javascript(), cm.syntaxHighlighting(colours), look,
        cm.EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        cm.EditorView.updateListener.of((/** @type {any} */ update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          area.dispatchEvent(new Event("input"));
        }),
      ],
    }),
  });
  return () => {
    if (view.state.doc.toString() !== area.value) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
  };
}
