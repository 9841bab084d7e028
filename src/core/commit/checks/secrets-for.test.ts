import type { Actor } from "../../model/actor.ts";
import { expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aMeta } from "../../../../test/builders/a-meta.ts";
import type { AnyObject, Replica, Secret } from "../../model/objects.ts";
import { secretKey } from "../../model/secret/secret-refs.ts";
import { ObjectIndex } from "../../observe/object-index.ts";
import type { SecretsAsk } from "../../protocol/secrets-ask.ts";
import { secretsFor } from "./secrets-for.ts";

const KEY = secretKey("payments", "db");
const value = { box: "AAAA", digest: "0".repeat(32), bytes: 1 };
const secret: Secret = {
  kind: "Secret",
  key: KEY,
  meta: aMeta(KEY),
  spec: { type: "Opaque", values: { password: value } },
  status: {},
};

function starting(of: Partial<Replica["status"]> = {}): Replica {
  const replica = aReplica({ stage: "starting", node: "a-1", index: 0 });
  const run = {
    env: {},
    workingDir: "",
    user: "",
    ports: [],
    stopGraceMs: 1,
    secretEnv: { PASSWORD: { name: "db", key: "password" } },
  };
  const template = { ...replica.spec.template, run };
  return {
    ...replica,
    spec: { ...replica.spec, template },
    status: { ...replica.status, ...of },
  };
}

function decided(objects: readonly AnyObject[], of: Partial<SecretsAsk> = {}, by?: Actor) {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  const { key, meta, status } = starting();
  const { incarnation, session } = status;
  const ask = { replica: key, uid: meta.uid, incarnation, session, node: "a-1", ...of };
  const answer = secretsFor(index, ask, by);
  return answer.kind === "given" ? answer.secrets : answer.because.code;
}

const node = aNode({ name: "a-1" });

test("an agent that names another node is given no secrets [SE11]", () => {
  const all = [node, secret, starting()];
  expect(decided(all, {}, { role: "agent", name: "agent:a-1" })).toEqual([KEY]);
  expect(decided(all, {}, { role: "agent", name: "agent:a-2" })).toBe("not-owner");
  expect(decided(all, {}, { role: "user", name: "agent:a-1" })).toBe("not-owner");
});

test("the agent of the bound node gets what the template names, each once [SE11]", () => {
  expect(decided([node, secret, starting()])).toEqual([KEY]);
});

test.each<[string, Partial<SecretsAsk>, Partial<Replica["status"]>, string]>([
  ["another node", { node: "a-2" }, {}, "not-owner"],
  ["another session", { session: 99 }, {}, "session-ended"],
  ["another incarnation", { incarnation: 99 }, {}, "wrong-incarnation"],
  ["a namesake", { uid: "other" as never }, {}, "wrong-incarnation"],
  ["one that is bound and not claimed", {}, { stage: "bound" }, "wrong-stage"],
  ["one that serves", {}, { stage: "serving" }, "wrong-stage"],
  ["one that may run elsewhere", {}, { stage: "unknown" }, "wrong-stage"],
  ["one that stops", {}, { stopping: { reason: "surplus", sinceMs: 0 } as never }, "wrong-stage"],
])("secrets are withheld for %s [SE11]", (_, ask, status, code) => {
  expect(decided([node, secret, starting(status)], ask)).toBe(code);
});

test("a fenced node, and one that began another session, get none [SE11]", () => {
  const fenced = { ...node, status: { ...node.status, health: "fenced" as const } };
  expect(decided([fenced, secret, starting()])).toBe("node-fenced");
  const later = { ...node, status: { ...node.status, session: 7 } };
  expect(decided([later, secret, starting()])).toBe("session-ended");
});

test("all or none are given: without the secret or its key nothing is [SE11]", () => {
  expect(decided([node, starting()])).toBe("secret-missing");
  const other = { ...secret, spec: { ...secret.spec, values: { user: value } } };
  expect(decided([node, other, starting()])).toBe("secret-missing");
});
