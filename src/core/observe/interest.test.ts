import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Replica } from "../model/objects.ts";
import { type Interest, wants, wantsObject } from "./interest.ts";

const agent: Interest = { kinds: new Set(["Replica"]), node: "a-1" };
const controller: Interest = { kinds: new Set(["Node", "Replica"]), node: undefined };

const on = (node: string | undefined): Replica =>
  aReplica(node === undefined ? { stage: "released" } : { stage: "bound", node });

const change = (before: Replica | undefined, after: Replica | undefined) => ({
  key: aReplica().key,
  before,
  after,
});

describe("an agent", () => {
  test("is shown a replica that comes to its node, stays there or leaves it", () => {
    expect(wants(agent, change(on(undefined), on("a-1")))).toBe(true);
    expect(wants(agent, change(on("a-1"), on("a-1")))).toBe(true);
    expect(wants(agent, change(on("a-1"), on(undefined)))).toBe(true);
    expect(wants(agent, change(on("a-1"), undefined))).toBe(true);
  });

  test("is not shown what happens elsewhere", () => {
    expect(wants(agent, change(on("b-1"), on("b-1")))).toBe(false);
    expect(wants(agent, change(undefined, on(undefined)))).toBe(false);
    expect(wantsObject(agent, on("b-1"))).toBe(false);
    expect(wantsObject(agent, aNode())).toBe(false);
    expect(wantsObject(agent, on("a-1"))).toBe(true);
  });
});

describe("a controller", () => {
  test("is shown every change of the kinds it asked for, and no other", () => {
    expect(wants(controller, change(undefined, on("b-1")))).toBe(true);
    const workload = aWorkload();
    expect(wants(controller, { key: workload.key, before: undefined, after: workload })).toBe(
      false,
    );
    expect(wantsObject(controller, aNode())).toBe(true);
    expect(wantsObject(controller, workload)).toBe(false);
  });

  test("is shown the end of an object it never saw", () => {
    expect(wants(controller, change(undefined, undefined))).toBe(true);
  });
});
