/**
 * Two tenants on one plane with two agents. One is hostile: it asks for all that it must not have, runs what hurts its neighbours,
 * and floods the plane. The other works on all the time, and notices nothing.
 */
import { readdirSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENT_LIMITS } from "../../src/agent/agent-limits.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { isRoot } from "../agent/drivers/drivers-of.ts";
import { FILTERED, REFUSED } from "./two-tenants-attacks.ts";
import { trueRights } from "./two-tenants-rights.ts";
import { VictimAtWork } from "./two-tenants-victim.ts";
import {
  anObject,
  BERTH,
  CANARY,
  HOSTILE,
  SERVICE,
  type Shown,
  TwoTenants,
  VICTIM,
} from "./two-tenants-world.ts";

const world = new TwoTenants();
let victim: VictimAtWork;
let uids: readonly string[] = [];

beforeAll(async () => {
  if (!isRoot) return;
  await world.start();
  victim = await VictimAtWork.begin(world);
  const service = await world.read("ana", `${BERTH}/namespaces/${VICTIM}/workloads/${SERVICE}`);
  uids = [service, ...(await world.served())].map(({ metadata }) => `"${metadata.uid}"`);
});
afterAll(() => (isRoot ? world.remove() : undefined));

/** What no answer to the hostile tenant may have, whatever it asked for. */
const leaksIn = (text: string): readonly string[] =>
  [CANARY, Buffer.from(CANARY).toString("base64"), ...uids].filter((each) => text.includes(each));

/** 405: no caller may, whatever its roles. */
const REFUSALS = new Set([401, 403, 404, 405, 429]);

describe.runIf(isRoot)("a hostile tenant beside another [DR14]", () => {
  test("is refused whatever is not its own, and learns nothing from the refusal [AZ42] [AZ45] [AZ12]", async () => {
    const wrong: unknown[] = [];
    for (const { path, ...asked } of REFUSED) {
      const { status, text } = await world.ask("eve", path, asked);
      if (!REFUSALS.has(status) || leaksIn(text).length > 0) {
        wrong.push([asked.method ?? "GET", path, status, text.slice(0, 300)]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("sees its own part in what shows each caller its part [AZ44]", async () => {
    const wrong: unknown[] = [];
    for (const path of FILTERED) {
      const { status, text } = await world.ask("eve", path);
      const isNamed = status === 200 && (text.includes(VICTIM) || text.includes(SERVICE));
      if (isNamed || leaksIn(text).length > 0 || status >= 500)
        wrong.push([path, status, text.slice(0, 300)]);
    }
    expect(wrong).toEqual([]);
  });

  test("guesses the operation ids of others, and finds none of them [ID1]", async () => {
    const { mine } = victim;
    const own = await world.ask("ana", `/operations/${encodeURIComponent(mine)}`);
    expect(JSON.parse(own.text)).toMatchObject({ kind: "found" });
    for (const guess of [
      mine,
      `user/ana/${mine}`,
      `user:ana/${mine}`,
      `ana/${mine}`,
      "u1",
      "u2",
      "lease/n1",
    ]) {
      const { text } = await world.ask("eve", `/operations/${encodeURIComponent(guess)}`);
      expect([guess, JSON.parse(text)]).toMatchObject([guess, { kind: "not-found" }]);
    }
  });

  test("learns who else uses the plane neither by name nor by tenant [FS7]", async () => {
    const { text } = await world.ask("eve", "/shares");
    const { flows } = JSON.parse(text) as {
      readonly flows: readonly { readonly caller: string }[];
    };
    expect([...new Set(flows.map((flow) => flow.caller))]).toEqual(["user eve"]);
  });

  test("gets no further with kubectl", async () => {
    const tries = [
      ["get", "workloads.berth.dev", "-A"],
      ["get", "secrets", "-n", VICTIM],
      ["logs", `${SERVICE}.1.0`, "-n", VICTIM],
      ["exec", `${SERVICE}.1.0`, "-n", VICTIM, "--", "cat", "word"],
      ["port-forward", `pod/${SERVICE}.1.0`, "8080:80", "-n", VICTIM],
      ["delete", "workloads.berth.dev", SERVICE, "-n", VICTIM],
      ["scale", "workloads.berth.dev", SERVICE, "--replicas=0", "-n", VICTIM],
      ["create", "clusterrolebinding", "mine", "--clusterrole=cluster-admin", "--user=eve"],
      ["get", "nodes.berth.dev", "--as=root"],
    ];
    for (const words of tries) {
      const { code, out, err } = await world.kubectl("eve", ...words);
      expect([words, code, err, leaksIn(out + err)]).toEqual([
        words,
        1,
        expect.stringMatching(/orbidden/),
        [],
      ]);
    }
  });

  test.each([
    ["ana", VICTIM, HOSTILE],
    ["ana", HOSTILE, VICTIM],
    ["eve", HOSTILE, VICTIM],
    ["eve", VICTIM, HOSTILE],
  ] as const)(
    "auth can-i --list tells %s the truth about %s [AZ17]",
    async (who, tenant, other) => {
      const { out } = await world.kubectl(who, "auth", "can-i", "--list", "-n", tenant);
      const { said, seen } = await trueRights(world, { who, tenant, list: out });
      expect(said).toEqual(seen);
      const isOwn = (who === "ana") === (tenant === VICTIM);
      expect(seen.some((each) => each.startsWith("list workloads"))).toBe(isOwn);
      expect(out).not.toContain(other);
    },
  );
});

const ATTACKS: Readonly<Record<string, string>> = {
  forker: "f() { f | f; }; f; exit 3",
  hog: "x=xxxxxxxx; while :; do x=$x$x; done",
  filler: "for at in /tmp /dev/shm /work; do cat /dev/zero > $at/fill; done; exit 5",
  flooder: "head -c 150000000 /dev/zero | tr '\\0' x; echo; echo the end; exec sleep 3600",
  killer: "trap '' TERM; kill -9 -1; kill -TERM -1; exit 4",
};
const ENDS: Readonly<Record<string, RegExp>> = {
  forker: /^(its processes reached their limit of 1024|OOM killed: )/,
  hog: /^OOM killed: it used more than its memory limit of 64Mi$/,
  filler: /^OOM killed: it used more than its memory limit of 64Mi$/,
};

/** It says what it finds, and that it came to its end. */
const reader = (folder: string): string =>
  [
    "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/cwd/word /proc/[0-9]*/root/work/word 2> /dev/null | tr '\\0' ' '",
    `cat ${folder}/tokens ${folder}/*.token ${folder}/*.log ${folder}/agents/*/* 2> /dev/null`,
    `find / -xdev -name 'n?.token' -o -xdev -name word -o -xdev -name 'log.db*' 2> /dev/null | grep -v ^/proc | sed 's/^/found: /'`,
    "echo; echo the end; exec sleep 3600",
  ].join("; ");

const caller = (port: number): string =>
  [
    ...["127.0.0.1", "0.0.0.0", "localhost"].map(
      (host) => `(: < /dev/tcp/${host}/${port}) 2> /dev/null && echo REACHED ${host}`,
    ),
    "echo the end; exec sleep 3600",
  ].join("; ");

const aWorkload = (name: string, script: string) =>
  anObject("Workload", name, {
    replicas: 1,
    resources: { cpu: "100m", memory: "64Mi" },
    run: { command: ["bash", "-c", script] },
  });

const replicaOf = async (name: string): Promise<Shown | undefined> =>
  (await world.replicasOf("eve", HOSTILE)).find(({ metadata }) =>
    metadata.name.startsWith(`${name}.`),
  );

const logOf = async (name: string, query = ""): Promise<string> => {
  const path = `${BERTH}/namespaces/${HOSTILE}/replicas/${name}.1.0/log${query}`;
  return (await world.ask("eve", path)).text;
};

describe.runIf(isRoot)("a hostile tenant's replicas beside another's [DR14]", () => {
  test("bombs, hogs, fillers and floods end by their own limits; readers and callers find nothing [DR12] [DR13]", async () => {
    const scripts = { ...ATTACKS, reader: reader(world.folder), caller: caller(world.port) };
    for (const [name, script] of Object.entries(scripts)) {
      await world.make("eve", `${BERTH}/namespaces/${HOSTILE}/workloads`, aWorkload(name, script));
    }
    for (const [name, end] of Object.entries(ENDS)) {
      await world.until(`the end of ${name}`, async () => {
        const last = (await replicaOf(name))?.status?.lastEnd ?? "";
        return end.test(last);
      });
    }
    for (const name of ["reader", "caller"]) {
      await world.until(`the end of ${name}`, async () =>
        (await logOf(name)).includes("the end\n"),
      );
    }
    const read = await logOf("reader");
    expect(leaksIn(read)).toEqual([]);
    expect(read).toContain(`BERTH_REPLICA=${HOSTILE}/reader.1.0`);
    expect(read).not.toMatch(new RegExp(`${VICTIM}|${SERVICE}|0123456789abcdef|^found: `, "m"));
    expect(await logOf("caller")).toBe("the end\n");
  });

  test("a flood of output stays within its log files [DR6]", async () => {
    await world.until("the end of the flood", async () =>
      (await logOf("flooder", "?tailLines=1")).includes("the end"),
    );
    // The file before the one in use is at least half full (log-sizes.ts).
    expect(floodBytes()).toBeGreaterThan(AGENT_LIMITS.logBytes.value / 2);
    expect(floodBytes()).toBeLessThanOrEqual(2 * AGENT_LIMITS.logBytes.value);
  });

  test("a flood of requests is answered or refused, and no other caller is [FS1]", async () => {
    const paths = [
      `${BERTH}/namespaces/${HOSTILE}/workloads`,
      "/views/workloads",
      `${BERTH}/workloads`,
    ];
    const statuses = new Set<number>();
    await Promise.all(
      Array.from({ length: 64 }, async (_, lane) => {
        for (let turn = 0; turn < 15; turn += 1) {
          const path = paths[(lane + turn) % paths.length] ?? "";
          statuses.add((await world.ask("eve", path)).status);
        }
      }),
    );
    expect([...statuses].filter((status) => ![200, 403, 429].includes(status))).toEqual([]);
  });

  test("and the other tenant noticed nothing", async () => {
    const { requests, refused, seen } = await victim.end();
    expect(refused).toEqual([]);
    expect(requests).toBeGreaterThan(10);
    expect(seen).toEqual([]);
    const now = await world.served();
    expect(now.map(({ metadata, status }) => [metadata.uid, status?.incarnation])).toEqual(
      victim.before,
    );
    for (const { status } of now) {
      expect(status).not.toHaveProperty("unready");
      expect(status).not.toHaveProperty("failingProbe");
      expect(status?.failures ?? 0).toBe(0);
    }
    const nodes = await world.list("root", `${BERTH}/nodes`);
    expect(nodes.map(({ status }) => status?.health)).toEqual(["ready", "ready"]);
  });
});

/** Of its log files together. */
function floodBytes(): number {
  const key = `Replica/${HOSTILE}/flooder.1.0` as ObjectKey;
  const found = ["n1", "n2"].flatMap((node) => findProcessLogs(world.agentFolder(node), key));
  return found
    .flatMap(({ folder }) =>
      readdirSync(folder.path)
        .filter((name) => name.startsWith("stdout.log"))
        .map((name) => statSync(folder.file(name)).size),
    )
    .reduce((sum, size) => sum + size, 0);
}
