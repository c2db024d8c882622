// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { nameInText } from "../js/state/words.js";

test("a name in a sentence is short and does not turn the text around it", () => {
  assert.equal(nameInText("task1"), "task1");
  assert.equal(nameInText("定时器"), "定时器");
  assert.equal([...nameInText("💡".repeat(256))].length, 40);
  assert.equal(nameInText("a\u202eb"), "\u2068a\u202eb\u2069");
  assert.equal(nameInText("a\u2069\u202eb"), "\u2068a\u202eb\u2069");
});
