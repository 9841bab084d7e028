/** Uses of bootstrap tokens, counted in the log: over all planes, and over restarts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NodeSigner } from "../../src/api/identity/node-signer.ts";
import { PlaneJoins } from "../../src/api/identity/plane-joins.ts";
import type { Caller } from "../../src/api/http/caller.ts";
import { operationId } from "../../src/core/model/ids.ts";
import { joinKey } from "../../src/core/model/node/join.ts";
import { makeAuthority, makeRequest } from "../../src/shell/certificates/sign-certificate.ts";
import { until } from "../host/a-running-plane.ts";
import { type OnePlane, SeveralPlanes } from "../host/several-planes.ts";
import { aNodeObject, BERTH } from "./an-api.ts";

const planes = new SeveralPlanes();
let signer: NodeSigner;
let a: OnePlane;
let b: OnePlane;
beforeAll(async () => {
  const life = { fromMs: Date.now() - 1_000, untilMs: Date.now() + 86_400_000 };
  signer = new NodeSigner(await makeAuthority("agents", life));
  a = await planes.open("a");
  await planes.leader();
  b = await planes.open("b");
});
afterAll(() => planes.close());

const tokenOf = (letter: string) => letter.repeat(64);
const callerOf = (letter: string, uses: number, pool?: string): Caller => {
  const name = pool === undefined ? "n1" : `pool:${pool}`;
  const joins = { uses, token: tokenOf(letter), ...(pool === undefined ? {} : { pool }) };
  return { kind: "agent", name, groups: [], joins };
};
const headers = { "content-type": "application/json" };

async function aNode(at: OnePlane, name: string): Promise<string> {
  const body = JSON.stringify(aNodeObject(name));
  const made = await fetch(`${at.url}${BERTH}/nodes`, { method: "POST", headers, body });
  return ((await made.json()) as { metadata: { uid: string } }).metadata.uid;
}

async function buy(
  at: OnePlane,
  caller: Caller,
  { name, uid, pool }: { name: string; uid: string; pool?: string },
): Promise<string> {
  const { request } = await makeRequest(`system:node:${name}`);
  const node = { name, uid, pool };
  return (await signer.sign(new PlaneJoins(at.plane), caller, node, request)).certificate;
}
const checks = (at: OnePlane, caller: Caller) => () =>
  new PlaneJoins(at.plane).checkNotUsedUp(caller);

describe("a bootstrap token", () => {
  test("of a pool lets in so many nodes of that pool, and no other node [NJ1]", async () => {
    const caller = callerOf("1", 2, "burst");
    const nodes = await Promise.all(["p-1", "p-2", "p-3"].map((name) => aNode(a, name)));
    const of = (at: number, pool?: string) => ({
      name: `p-${at}`,
      uid: nodes[at - 1] ?? "",
      ...(pool === undefined ? {} : { pool }),
    });
    expect(await buy(a, caller, of(1, "burst"))).toMatch(/BEGIN CERTIFICATE/);
    await expect(buy(a, caller, of(1, "burst"))).rejects.toThrow(/with another key/);
    await expect(buy(a, caller, of(2))).rejects.toThrow(/not made by pool burst/);
    await expect(buy(a, caller, of(2, "other"))).rejects.toThrow(/not made by pool burst/);
    expect(checks(a, caller)).not.toThrow();
    await buy(a, caller, of(2, "burst"));
    await expect(buy(a, caller, of(3, "burst"))).rejects.toThrow(/used 2 of 2 times/);
    expect(checks(a, caller)).toThrow(/no good/);
  });

  test("is used for every plane, for the next leader, and after its node was deleted [NJ2] [NJ6]", async () => {
    const caller = callerOf("2", 1);
    const uid = await aNode(a, "n1");
    await buy(a, caller, { name: "n1", uid });
    const key = joinKey(tokenOf("2"));
    await until("the follower to know", () => b.plane.objects.get(key));
    expect(checks(b, caller)).toThrow(/no good/);
    await fetch(`${a.url}${BERTH}/nodes/n1`, { method: "DELETE" });
    await a.plane.handOver();
    await until("the other to lead", () => (b.plane.isLeading ? true : undefined));
    const again = await aNode(b, "n1");
    expect(again).not.toBe(uid);
    await expect(buy(b, caller, { name: "n1", uid: again })).rejects.toThrow(/used 1 of 1 times/);
    expect(checks(b, caller)).toThrow(/no good/);
    const c = await planes.open("c");
    expect(checks(c, caller)).toThrow(/no good/);
  });

  test("is not counted by a plane that does not lead [NJ2]", async () => {
    const caller = callerOf("3", 1);
    const follower = b.plane.isLeading ? a : b;
    const uid = await aNode(follower, "n1b");
    await until("it to see the node", () => follower.plane.objects.nodeNamed("n1b"));
    const node = { name: "n1b", uid };
    const own: Caller = { ...caller, name: "n1b" };
    await expect(buy(follower, own, node)).rejects.toThrow(/lead/i);
    expect(follower.plane.objects.get(joinKey(tokenOf("3")))).toBeUndefined();
  });

  test("is counted by no command of a client [NJ2]", async () => {
    const intent = {
      kind: "join",
      operation: operationId("join-1"),
      token: tokenOf("4"),
      node: "n1",
      uid: "u1",
      keyId: "k",
      uses: 1,
    };
    const command = { actor: { role: "agent", name: "agent:n1" }, epoch: 1, basis: 1, intent };
    const body = JSON.stringify({ from: "x", request: { kind: "command", attempt: 1, command } });
    const leader = b.plane.isLeading ? b : a;
    const sent = await fetch(`${leader.url}/commands`, { method: "POST", headers, body });
    expect(sent.status).toBe(400);
  });
});
