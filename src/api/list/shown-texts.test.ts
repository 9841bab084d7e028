import { expect, it } from "vitest";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { ServedKind } from "./served-kind.ts";
import { OBJECT_KINDS } from "./served-kinds.ts";
import type { ShowContext } from "./show.ts";
import { ShownTexts } from "./shown-texts.ts";

const [served] = OBJECT_KINDS.filter(({ name }) => name === "Workload");

/** The texts of a server with these objects, and how many it has made. */
function textsOf(most: number) {
  const revisions = new Map<AnyObject, number>();
  const made = { count: 0 };
  const context: ShowContext = {
    plane: { objects: new ObjectIndex() } as ShowContext["plane"],
    shown: { of: (object: AnyObject) => revisions.get(object) ?? 1 } as ShowContext["shown"],
    veil: (object) => object,
  };
  const toApi: ServedKind["api"]["toApi"] = (object, objects) => {
    made.count += 1;
    return served!.api.toApi(object, objects);
  };
  const kind: ServedKind = { ...served!, api: { ...served!.api, toApi } };
  const texts = new ShownTexts(context, most);
  return { texts, kind, made, revisions };
}

const workloads = (count: number): readonly AnyObject[] =>
  Array.from({ length: count }, () => aWorkload());

it("[AP50] renders each object of a long list once, for all lists and watches until it looks different", () => {
  const { texts, kind, made, revisions } = textsOf(64 * 1024 * 1024);
  const listed = workloads(2_000);
  expect(texts.hasRoomFor(listed.length)).toBe(true);
  for (const each of listed) texts.of(kind, each);
  expect(made.count).toBe(2_000);
  for (const each of listed) {
    expect(texts.known(kind, each, 1)).toBe(texts.of(kind, each));
  }
  expect(made.count).toBe(2_000);
  revisions.set(listed[7]!, 2);
  for (const each of listed) texts.of(kind, each);
  expect(made.count).toBe(2_001);
  expect(texts.known(kind, listed[7]!, 1)).toBeUndefined();
});

it("[HB5] keeps no text of a list that would push out those of others", () => {
  const { texts, kind } = textsOf(400_000);
  const [one] = workloads(1);
  const { length } = texts.of(kind, one!);
  expect(texts.hasRoomFor(Math.floor(100_000 / length))).toBe(true);
  expect(texts.hasRoomFor(501 + Math.ceil(100_000 / length))).toBe(false);
  // One reader's view of it is not kept at all.
  texts.once(kind, aWorkload());
  expect(texts.length).toBe(length);
  for (const each of workloads(1_000)) texts.of(kind, each);
  expect(texts.length).toBeLessThanOrEqual(400_000);
});
