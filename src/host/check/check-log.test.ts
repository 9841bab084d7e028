import { describe, expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keptOf } from "../../../test/backup/a-stored-log.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { type ObjectKey, tenantKey, type Uid } from "../../core/model/ids.ts";
import type { AnyObject, Replica, Tenant } from "../../core/model/objects.ts";
import { checkLog } from "./check-log.ts";

const TENANT = tenantKey("payments");
const tenant: Tenant = {
  kind: "Tenant",
  key: TENANT,
  meta: aMeta(TENANT),
  spec: { displayName: "Payments" },
  status: {},
};
const FURNITURE: readonly AnyObject[] = [
  tenant,
  aQuota({ cpuMillis: 4_000, memoryMiB: 8_192, deviceMillis: 8_000 }),
  aNode({ name: "a-1", cpuMillis: 2_000, memoryMiB: 4_096, deviceIds: ["g-0", "g-1"] }),
  aWorkload(),
];

/**
 * A log in which each of these lists of objects was put by one commit, after what everybody needs.
 */
const logOf = (...puts: readonly (readonly AnyObject[])[]): Commit[] =>
  [FURNITURE, ...puts].map((put, at) => aCommit({ revision: at + 1, put }));

async function wrongIn(commits: readonly Commit[]): Promise<Readonly<Record<string, string>>> {
  const { lines, isGood } = await checkLog(keptOf(commits));
  const wrong = lines.flatMap(({ name, rule, findings }) => {
    const [first] = findings.filter(({ isDrift }) => isDrift !== true);
    if (first === undefined) return [];
    return [[name, `${rule} ${first.where} @${first.revision}: ${first.found}`] as const];
  });
  expect(isGood).toBe(wrong.length === 0);
  return Object.fromEntries(wrong);
}

const bound = (index: number, of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ index, stage: "bound", node: "a-1", cpuMillis: 500, memoryMiB: 256, ...of });
const renamed = (replica: Replica, key: string, uid: string): Replica => ({
  ...replica,
  key: key as ObjectKey,
  meta: { ...replica.meta, name: key.split("/")[2]!, uid: uid as Uid },
});
const queued = (index: number, cpuMillis: number): Replica =>
  aReplica({ index, stage: "queued", cpuMillis, memoryMiB: 256 });

test("nothing is wrong with a log in which everything is as it must be [BK9]", async () => {
  const reserved = aReplica({ index: 3, cpuMillis: 500, memoryMiB: 256 });
  const puts = [[bound(0)], [bound(1)], [queued(2, 500)], [reserved], [aReservation(reserved)]];
  expect(await wrongIn(logOf(...puts))).toEqual({});
});

test("what a plane puts in order by itself is told, and is no fault [BK9]", async () => {
  const { lines, isGood } = await checkLog(keptOf(logOf([aReservation(aReplica())])));
  expect(isGood).toBe(true);
  const { findings } = lines.find(({ name }) => name === "reservations")!;
  expect(findings).toMatchObject([{ isDrift: true, found: expect.stringContaining("is gone") }]);
});

test("a node that was made smaller later is no fault, and neither is a quota [BK9]", async () => {
  const smaller = [
    aNode({ name: "a-1", cpuMillis: 400, memoryMiB: 4_096, deviceIds: ["g-0", "g-1"] }),
    aQuota({ cpuMillis: 400, memoryMiB: 8_192, deviceMillis: 8_000 }),
  ];
  expect(await wrongIn(logOf([bound(0)], smaller))).toEqual({});
});

describe("berth store check says by its rule", () => {
  const withDevice = (index: number, id: string): Replica =>
    bound(index, { devices: 1, deviceIds: [id] });
  const second = renamed(bound(0), "Replica/payments/api.1.0.r", "another");
  const cases: readonly [string, readonly (readonly AnyObject[])[], string, RegExp][] = [
    [
      "a bind beyond the room of its node",
      [[bound(0, { cpuMillis: 1_500 })], [bound(1, { cpuMillis: 1_500 })]],
      "capacity",
      /^INV2 Replica\/payments\/api\.1\.1 @3: binding it took cpuMillis on a-1 to 3000 of 2000$/,
    ],
    [
      "two that stand for one index",
      [[bound(0)], [second]],
      "indexes",
      /^INV1 \S+\.r @3: .* index 0/,
    ],
    [
      "a device that two have whole",
      [[withDevice(0, "g-0")], [withDevice(1, "g-0")]],
      "devices",
      /^INV3 Replica\/payments\/api\.1\.0 @3: 2000 thousandths of device a-1\/g-0/,
    ],
    [
      "a device that its node does not have",
      [[withDevice(0, "g-7")]],
      "devices",
      /^INV3 Replica\/payments\/api\.1\.0 @2: it got device g-7 of a-1/,
    ],
    [
      "a replica that is bound to nothing",
      [[bound(0, { node: undefined })]],
      "bindings",
      /^INV1 .*it is bound and names no node$/,
    ],
    [
      "a replica on a node that nobody knows of",
      [[bound(0, { node: "z-9" })]],
      "bindings",
      /neither an object nor a lease$/,
    ],
    [
      "quota granted beyond its limit",
      [[queued(0, 3_000)], [queued(1, 3_000)]],
      "quota",
      /^INV4 Quota\/payments\/default @3: cpuMillis in use grew to 6000, beyond the limit of 4000$/,
    ],
    [
      "quota held twice for one incarnation",
      [[aReplica()], [aReservation(aReplica())], [{ ...aReservation(aReplica()), ...again() }]],
      "reservations",
      /^INV5 Reservation\/payments\/again @4: .* also reserves quota of Replica\/payments\/api\.1\.0/,
    ],
    [
      "what was deleted and stays for nobody",
      [[{ ...tenant, meta: { ...tenant.meta, deletingMs: 5 } }]],
      "finalizers",
      /^OB3 Tenant\/\/payments @2: it was deleted/,
    ],
    [
      "a workload without its tenant",
      [[aWorkload({ tenant: "nobody" })]],
      "names",
      /^OB5 Workload\/nobody\/api @2: its tenant nobody does not exist$/,
    ],
  ];
  test.each(cases)("%s [BK9]", async (_, puts, name, found) => {
    expect((await wrongIn(logOf(...puts)))[name]).toMatch(found);
  });

  test("epochs that go back, and a commit that does not fold [BK9]", async () => {
    const [first, ...rest] = logOf([bound(0)], [bound(1)]);
    const wrong = await wrongIn([first!, { ...rest[0]!, epoch: 4 }, { ...rest[1]!, epoch: 3 }]);
    expect(wrong["epochs"]).toMatch(/^INV10 the log @2: it is of epoch 4, and the newest/);
    expect(wrong["replay"]).toMatch(/^INV0 the log @3: The log goes back from epoch 4 to 3/);
  });
});

function again(): { readonly key: ObjectKey; readonly meta: ReturnType<typeof aMeta> } {
  const key = "Reservation/payments/again" as ObjectKey;
  return { key, meta: aMeta(key) };
}
