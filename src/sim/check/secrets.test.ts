import { beforeEach, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import type { Replica, Secret } from "../../core/model/objects.ts";
import { secretKey } from "../../core/model/secret/secret-refs.ts";
import { secretsOperation } from "../../core/protocol/operations.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import { createSecretsChecker } from "./secrets.ts";

const KEY = secretKey("payments", "db");
const value = { box: "AAAA", digest: "0".repeat(32), bytes: 1 };
const secret: Secret = {
  kind: "Secret",
  key: KEY,
  meta: aMeta(KEY),
  spec: { type: "Opaque", values: { password: value } },
  status: {},
};

function starting(): Replica {
  const replica = aReplica({ stage: "starting", node: "a-1", index: 0 });
  const plain = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 1 };
  const run = { ...plain, secretEnv: { PASSWORD: { name: "db", key: "password" } } };
  const template = { ...replica.spec.template, run };
  return { ...replica, spec: { ...replica.spec, template } };
}

const replica = starting();
const { key, meta, status } = replica;
const { incarnation, session } = status;
const ask = { replica: key, uid: meta.uid, incarnation, node: "a-1", session };
const given: Reply = { kind: "secrets", epoch: 1, decided: { kind: "given", secrets: [KEY] } };

let harness: CheckerHarness;
beforeEach(() => {
  harness = new CheckerHarness(createSecretsChecker());
  harness.commit({ put: [secret] });
  harness.commit({ put: [replica] });
  harness.nowMs = 100;
});

const answer = (to = "agent:a-1"): void =>
  harness.checker.secretsAnswered?.(to, ask, given, harness, harness.report);
const rules = (): readonly (string | undefined)[] =>
  harness.found.map((found) => found.split(" ")[0]);
const start = (): void => {
  const process = { replica: key, incarnation, node: "a-1", leashed: true, startedMs: 100 };
  harness.checker.processStarted?.(process, harness, harness.report);
};

test("the bound node is given all secrets, and the process starts after it [INV194][INV195]", () => {
  answer();
  harness.checker.replied?.("agent:a-1", secretsOperation(ask), given, harness, harness.report);
  start();
  expect(harness.found).toEqual([]);
});

test("another node, and one that the replica has left, are reported [INV194]", () => {
  answer("agent:a-2");
  harness.commit({ put: [{ ...replica, status: { ...status, stage: "released" } }] });
  // What was decided in the batch in which it left may rest on the state before.
  answer();
  harness.nowMs = 200;
  answer();
  expect(rules()).toEqual(["INV194", "INV194"]);
});

test("secrets that are not all there are reported [INV194]", () => {
  harness.commit({ remove: [KEY] });
  harness.nowMs = 200;
  answer();
  expect(rules()).toEqual(["INV194"]);
});

test("a start before the agent was given its secrets is reported [INV195]", () => {
  answer();
  start();
  expect(rules()).toEqual(["INV195"]);
});
