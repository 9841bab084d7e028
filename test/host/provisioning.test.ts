/** Machines are asked for by real planes that share a log, over real sockets and from real processes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  replicaKey,
  tenantKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import { nodePoolKey } from "../../src/core/model/node/node-pool.ts";
import { ExecProvisioner } from "../../src/host/provision/exec-provisioner.ts";
import { HttpProvisioner } from "../../src/host/provision/http-provisioner.ts";
import { ProvisionCounts } from "../../src/host/provision/provision-counts.ts";
import { ProvisionDriver } from "../../src/host/provision/provision-driver.ts";
import type { Provisioner } from "../../src/host/provision/provision-protocol.ts";
import type { UnnamedIntent } from "../builders/a-plane.ts";
import { PlaneUser, until } from "./a-running-plane.ts";
import { type OnePlane, SeveralPlanes } from "./several-planes.ts";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const AMOUNTS = { cpuMillis: 4_000, memoryMiB: 4_096, deviceMillis: 0 };
const WORKLOAD = workloadKey("shop", "api");

/** A replica that waits for room, and a node of the pool `burst` that is provisioning for it. */
async function expectNode({ plane }: OnePlane): Promise<void> {
  const user = new PlaneUser(plane);
  await user.put(tenantKey("shop"), { kind: "Tenant", spec: { displayName: "Shop" } });
  await user.put(quotaKey("shop"), { kind: "Quota", spec: { limit: AMOUNTS } });
  await user.put(nodePoolKey("burst"), {
    kind: "NodePool",
    spec: {
      region: "eu",
      zone: "eu-a",
      capacity: AMOUNTS,
      provisioner: "cloud",
      maxNodes: 3,
      pace: { nodes: 3, periodMs: 60_000 },
      pendingForMs: 0,
    },
  });
  await user.putDesired(1);
  let sent = 0;
  const send = async (intent: UnnamedIntent, role: Role): Promise<void> => {
    sent += 1;
    const named = { ...intent, operation: operationId(`step-${sent}`) } as Intent;
    const name = role === "agent" && "node" in intent ? `agent:${intent.node}` : role;
    const reply = await plane.submit(named, { role, name });
    expect(reply).toMatchObject({ outcome: { kind: "committed" } });
  };
  const replica = replicaKey({ tenant: "shop", workload: "api", generation: 1, index: 0 });
  await send(
    { kind: "admit", workload: WORKLOAD, generation: 1, index: 0, incarnation: 1 },
    "admit",
  );
  await send({ kind: "reserve", replica, incarnation: 1, deadlineMs: 1_000 }, "admit");
  const reservation = "Reservation/shop/api.1.0.1" as ObjectKey;
  const queue = { key: replica, from: "admitted", to: "queued", reservation } as const;
  await send({ kind: "transition", incarnation: 1, ...queue }, "admit");
  const asked = { pool: "burst", node: "burst-1", workload: WORKLOAD } as const;
  await send({ kind: "provision", ...asked }, "provision");
}

function openProvisionDriver({ plane, url }: OnePlane, cloud: Provisioner): void {
  const driver = new ProvisionDriver({
    plane,
    provisioners: new Map([["cloud", cloud]]),
    server: url,
    counts: new ProvisionCounts(),
    onNote: () => {},
    firstPauseMs: 1,
  });
  ends.push(() => driver.close());
}

async function twoPlanes(): Promise<{ readonly first: OnePlane; readonly second: OnePlane }> {
  const planes = new SeveralPlanes();
  ends.push(() => planes.close());
  const first = await planes.open("first");
  await until("the first to lead", () => (first.plane.isLeading ? true : undefined));
  return { first, second: await planes.open("second") };
}

const isAccepted = ({ plane }: OnePlane): true | undefined =>
  plane.objects.node(nodeKey("burst-1"))?.status.provision?.accepted === undefined
    ? undefined
    : true;

interface Seen {
  readonly key: unknown;
  isBrokenOff: boolean;
}

/** Leaves the first request without an answer, and takes on all others. */
async function aServer(): Promise<{ readonly url: URL; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const one: Seen = { key: request.headers["idempotency-key"], isBrokenOff: false };
    seen.push(one);
    response.on("close", () => (one.isBrokenOff = !response.writableFinished));
    if (seen.length > 1) response.end(`{"accepted":true}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), seen };
}

describe("planes that ask for machines", () => {
  test("a plane that loses the lead breaks off what it asked a server, and the next asks under the same key", async () => {
    const { first, second } = await twoPlanes();
    const { url, seen } = await aServer();
    for (const one of [first, second]) {
      openProvisionDriver(one, new HttpProvisioner({ url, timeoutMs: 60_000 }));
    }
    await expectNode(first);
    await until("the first request", () => seen[0]);
    await first.plane.handOver();
    await until("the answer", () => isAccepted(second));
    await until("the first to be broken off", () => seen[0]?.isBrokenOff || undefined);
    const { uid } = second.plane.objects.node(nodeKey("burst-1"))!.meta;
    expect(seen.map(({ key }) => key)).toEqual([`create-burst-1-${uid}`, `create-burst-1-${uid}`]);
  });

  test("a plane that loses the lead ends the program it asked, and the next asks under the same key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-driver-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const { first, second } = await twoPlanes();
    const hang = aProgram(join(folder, "hang"), "sleep 600");
    const take = aProgram(join(folder, "take"), `echo '{"accepted":true}'`);
    openProvisionDriver(first, new ExecProvisioner({ command: [hang], timeoutMs: 60_000 }));
    openProvisionDriver(second, new ExecProvisioner({ command: [take], timeoutMs: 60_000 }));
    await expectNode(first);
    const pid = await until("the program", () => pidIn(`${hang}.pid`));
    await first.plane.handOver();
    await until("the answer", () => isAccepted(second));
    await until("the program to end", () => (isThere(pid) ? undefined : true));
    expect(keyIn(`${take}.in`)).toBe(keyIn(`${hang}.in`));
  });
});

function aProgram(file: string, does: string): string {
  writeFileSync(file, `#!/bin/sh\ncat > ${file}.in\necho $$ > ${file}.pid\n${does}\n`, {
    mode: 0o755,
  });
  return file;
}

const pidIn = (file: string): number | undefined =>
  existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined;

const keyIn = (file: string): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly key: string }).key;

function isThere(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
