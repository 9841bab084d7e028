/** JSON patches, merge patches and server-side applies, among them those that grow what they are applied to. */
import type { Draw } from "./draw.ts";
import type { BodyPart } from "./hostile-case.ts";
import { type Json, nastyKey, nastyName, nastyValue } from "./nasty-values.ts";
import { jsonText, mutateValue } from "./mutate-value.ts";

export interface Patch {
  readonly type: string;
  readonly body: readonly BodyPart[];
}

export function generatePatch(draw: Draw, manifest: Json): Patch {
  switch (draw.below(4)) {
    case 0:
      return merge(draw, mutateValue(draw, manifest, draw.size(6)));
    case 1:
      return apply(draw, mutateValue(draw, manifest, draw.below(3)));
    case 2:
      return operations(draw);
    default:
      return draw.chance(50) ? growing(draw) : wide(draw);
  }
}

const merge = (draw: Draw, value: Json): Patch => ({
  type: "application/merge-patch+json",
  body: [jsonText(draw, value)],
});

const apply = (draw: Draw, value: Json): Patch => ({
  type: "application/apply-patch+yaml",
  body: [jsonText(draw, value)],
});

const POINTERS = [
  "",
  "/",
  "/metadata",
  "/metadata/labels",
  "/metadata/labels/app",
  "/metadata/annotations/note",
  "/metadata/name",
  "/metadata/uid",
  "/metadata/finalizers",
  "/metadata/finalizers/-",
  "/metadata/ownerReferences/0",
  "/spec",
  "/spec/replicas",
  "/spec/run/command",
  "/spec/run/command/-",
  "/spec/run/command/0",
  "/spec/run/command/4294967296",
  "/spec/run/env/A",
  "/spec/run/env/__proto__",
  "/constructor/prototype/x",
  "/status",
  "/a~1b~0c~2",
  "/x",
  "/x/-",
] as const;

function operations(draw: Draw): Patch {
  const pointer = (): string =>
    draw.chance(85) ? draw.pick(POINTERS) : `/${nastyName(draw)}/${nastyKey(draw)}`;
  const list = Array.from({ length: draw.size(60) }, () => ({
    op: draw.pick(["add", "replace", "remove", "test", "move", "copy", "ADD", ""]),
    path: pointer(),
    ...(draw.chance(80) ? { value: nastyValue(draw) } : {}),
    ...(draw.chance(60) ? { from: pointer() } : {}),
  }));
  return { type: "application/json-patch+json", body: [jsonText(draw, list)] };
}

/** Copies what it has made into itself: each step doubles it. */
function growing(draw: Draw): Patch {
  const times = draw.between(4, 40);
  const isList = draw.chance(60);
  const first = isList
    ? { op: "add", path: "/x", value: ["aaaaaaaaaaaaaaaa"] }
    : { op: "add", path: "/x", value: { a: "aaaaaaaaaaaaaaaa" } };
  const copies = Array.from({ length: times }, (_, index) => ({
    op: "copy",
    from: "/x",
    path: isList ? "/x/-" : `/x/k${index}`,
  }));
  const tests = draw.chance(30) ? [{ op: "test", path: "/x", value: [] }] : [];
  return {
    type: "application/json-patch+json",
    body: [JSON.stringify([first, ...copies, ...tests])],
  };
}

/** Many small operations, or one long pointer, or a long list that each operation moves. */
function wide(draw: Draw): Patch {
  const times = draw.size(20_000);
  const each = draw.pick([
    `{"op":"add","path":"/metadata/annotations/k{i}","value":"v"}`,
    `{"op":"add","path":"/spec/run/command/0","value":"v"}`,
    `{"op":"test","path":"/metadata","value":{"name":"a"}}`,
    `{"op":"copy","from":"","path":"/spec/run/env"}`,
    `{"op":"remove","path":"/spec/run/command/0"}`,
  ]);
  const deep = `{"op":"add","path":"${"/a".repeat(draw.size(100_000))}","value":1}`;
  return {
    type: "application/json-patch+json",
    body: [
      "[",
      { text: `${each},`, times },
      draw.chance(30) ? deep : each.replace("{i}", "z"),
      "]",
    ],
  };
}
