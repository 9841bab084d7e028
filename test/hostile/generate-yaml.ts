/** YAML that means more than it says: many keys, anchors, merges, tags, deep flow, and text that is no YAML at all. */
import type { Draw } from "./draw.ts";
import type { BodyPart } from "./hostile-case.ts";

const HEAD = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata:\n  name: y{n}\n";

export function generateYaml(draw: Draw): readonly BodyPart[] {
  const head = HEAD.replace("{n}", String(draw.below(40)));
  const times = draw.size(20_000);
  return draw.pick<() => readonly BodyPart[]>([
    () => [head, "  annotations:\n", { text: "    k{i}: v\n", times }],
    () => [head, "  annotations:\n", { text: "    same: v\n", times }],
    () => [head, "spec: ", { text: "{a: ", times: draw.size(3_000) }],
    () => [head, "spec: ", { text: "[", times: draw.size(3_000) }, { text: "]", times: 10 }],
    () => [head, { text: "k{i}: &a{i} [1]\n", times }, { text: "r{i}: *a{i}\n", times }],
    () => [head, bomb(draw.between(2, 30))],
    () => [head, "base: &b { a: 1 }\n", { text: "m{i}: { <<: *b }\n", times }],
    () => [head, "spec: &s\n  self: *s\n"],
    () => [head, { text: "? [a, {i}]\n: v\n", times: draw.size(3_000) }],
    () => [head, "text: |\n", { text: "  line {i}\n", times }],
    () => [head, 'text: "', { text: "\\u0041", times }, '"\n'],
    () => [head, "x: !!js/function 'function () { return 1 }'\n"],
    () => [head, "x: !!binary ", { text: "QUJD", times }, "\n"],
    () => [head, { text: "---\na: {i}\n", times: draw.size(3_000) }],
    () => [head, { text: "# comment\n", times }],
    () => [head, "x: ", { text: "- ", times: draw.size(3_000) }, "1\n"],
    () => ["%YAML 1.2\n%TAG ! x\n---\n", head],
    () => [{ text: "\t", times: draw.size(3_000) }, head],
    () => [{ text: "a", times: times * 10 }],
    () => [{ text: "{i}", times }, ": 1\n"],
    () => ["'", { text: "a\n\n", times }],
  ])();
}

/** Each line names the one before it twice. */
function bomb(lines: number): string {
  const each = Array.from(
    { length: lines },
    (_, at) => `b${at + 1}: &b${at + 1} [*b${at}, *b${at}]`,
  );
  return `b0: &b0 [x, x]\n${each.join("\n")}\n`;
}
