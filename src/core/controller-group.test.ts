import { describe, expect, test } from "vitest";
import { aNode } from "../../test/builders/a-node.ts";
import {
  proposing,
  ScriptedController,
  type Script,
} from "../../test/builders/a-scripted-controller.ts";
import { aTurn } from "../../test/builders/a-turn.ts";
import { ControllerGroup } from "./controller-group.ts";
import { wait } from "./decision.ts";
import type { ClientEffect, ClientInput } from "./kernel/component.ts";

class GroupBench {
  readonly group: ControllerGroup;
  readonly controllers: readonly ScriptedController[];

  constructor(...scripts: readonly (Script | undefined)[]) {
    this.controllers = scripts.map((script) => new ScriptedController(script));
    this.group = new ControllerGroup({
      name: "controllers",
      controllers: this.controllers.map((controller, at) => [`place-${at + 1}`, controller]),
    });
  }

  give(input: ClientInput, now = 0): readonly ClientEffect[] {
    return this.group.receive(input, aTurn(now));
  }

  listed(): readonly ClientEffect[] {
    this.give({ kind: "started" });
    return this.give({ kind: "listed", objects: [aNode()], revision: 10, epoch: 1 });
  }
}

const kinds = (effects: readonly ClientEffect[]): readonly string[] =>
  effects.map(({ kind }) => kind);

const waiting: Script = () =>
  wait({ reason: "no-feasible-node", wakes: [], deadlineMs: 9_000, because: { summary: "full" } });

describe("controllers that share a view", () => {
  test("ask for one list, and all look at what it brings", () => {
    const bench = new GroupBench(undefined, undefined);
    expect(kinds(bench.give({ kind: "started" })).filter((kind) => kind === "list")).toHaveLength(
      1,
    );
    bench.give({ kind: "listed", objects: [aNode()], revision: 10, epoch: 1 });
    expect(bench.controllers.map(({ looks }) => looks.length)).toEqual([1, 1]);
    expect(bench.group.view.revision).toBe(10);
  });

  test("wait each under a name of its own", () => {
    const bench = new GroupBench(undefined, waiting);
    bench.listed();
    const owed = bench.group.owed().filter(({ reason }) => reason === "no-feasible-node");
    expect(owed.map(({ controller }) => controller)).toEqual(["place-2"]);
  });

  test("get the answers to their own calls, whatever numbers the others use", () => {
    const bench = new GroupBench(
      () => proposing("a-1"),
      () => proposing("a-1"),
    );
    const calls = bench
      .listed()
      .flatMap((effect) => (effect.kind === "request" ? [effect.call] : []));
    expect(new Set(calls).size).toBe(2);
    const outcome = { kind: "committed", revision: 10 } as const;
    const [, second] = calls;
    bench.give({ kind: "reply", call: second!, reply: { kind: "outcome", outcome, epoch: 1 } });
    expect(bench.controllers.map(({ looks }) => looks.length)).toEqual([1, 2]);
  });
});
