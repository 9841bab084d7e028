import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aTurn } from "../../../test/builders/a-turn.ts";
import type { ClientEffect } from "../kernel/component.ts";
import type { Replica } from "../model/objects.ts";
import { secretKey } from "../model/secret/secret-refs.ts";
import type { Reply } from "../protocol/outcome.ts";
import { reject } from "../protocol/rejection.ts";
import { SecretAsks } from "./secret-asks.ts";

function needing(): Replica {
  const replica = aReplica({ stage: "starting", node: "a-1", index: 0 });
  const plain = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 1 };
  const run = { ...plain, secretFiles: { token: { name: "db", key: "token" } } };
  const template = { ...replica.spec.template, run };
  return { ...replica, spec: { ...replica.spec, template } };
}

const given: Reply = {
  kind: "secrets",
  epoch: 1,
  decided: { kind: "given", secrets: [secretKey("payments", "db")] },
};
const withheld: Reply = {
  kind: "secrets",
  epoch: 1,
  decided: {
    kind: "withheld",
    because: reject("secret-missing", "x", "secret db/token", "(none)"),
  },
};

function asking() {
  const asks = new SecretAsks();
  const effects: ClientEffect[] = [];
  let calls = 0;
  const at = (now: number) =>
    asks.look(needing(), {
      look: { ...aTurn(now), feedback: [], failures: 0 },
      node: "a-1",
      session: 1,
      takeCall: () => ++calls,
      effects,
    });
  return { asks, effects, at };
}

test("a start asks once, waits for the answer and goes on with it [SE12]", () => {
  const { asks, effects, at } = asking();
  expect(at(0)).toMatchObject({ kind: "wait", reason: "secret-missing" });
  expect(at(10)).toMatchObject({ kind: "wait" });
  expect(effects).toHaveLength(1);
  expect(asks.heard(7, given, 20)).toBeUndefined();
  expect(asks.heard(1, given, 20)).toBe(needing().key);
  expect(at(30)).toBe("ready");
});

test("a lost answer and a plane that is away are asked again, and never end the wait [SE12]", () => {
  const { asks, effects, at } = asking();
  at(0);
  at(2_000);
  expect(effects).toHaveLength(2);
  asks.heard(2, { kind: "unavailable" }, 2_100);
  expect(at(3_000)).toMatchObject({ kind: "wait", deadlineMs: 4_100 });
  expect(at(600_000)).toMatchObject({ kind: "wait" });
  expect(asks.heard(3, given, 600_001)).toBe(needing().key);
  expect(at(600_002)).toBe("ready");
});

test("what is withheld is told, asked again, and given up after 30 seconds [SE12]", () => {
  const { asks, at } = asking();
  at(0);
  asks.heard(1, withheld, 10);
  expect(at(20)).toMatchObject({
    kind: "wait",
    because: { summary: "the start waits for secret db/token" },
  });
  at(2_010);
  asks.heard(2, withheld, 2_020);
  expect(at(30_000)).toBe("over");
  asks.forget(needing().key);
  expect(at(30_001)).toMatchObject({ kind: "wait" });
});

test("a template without secrets asks nothing [SE12]", () => {
  const { effects, asks } = asking();
  const replica = aReplica({ stage: "starting", node: "a-1", index: 0 });
  const look = { ...aTurn(0), feedback: [], failures: 0 };
  const of = { look, node: "a-1", session: 1, takeCall: () => 1, effects };
  expect(asks.look(replica, of)).toBe("ready");
  expect(effects).toEqual([]);
});
