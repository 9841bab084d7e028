/** Whom a replica reaches: tried out with real connections, from inside, to every address of the machine. */
import { createSocket } from "node:dgram";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nodeDrivers } from "../../../src/agent/drivers/node-drivers.ts";
import { ReplicaFiles } from "../../../src/agent/replica-files.ts";
import { eventually, sh } from "../a-driver.ts";
import { layoutOf, programsLayer } from "./an-image.ts";
import { AnotherMachine } from "./another-machine.ts";
import { type ContractOf, DriverOnTrial } from "./driver-contract.ts";
import { isRoot } from "./drivers-of.ts";

const images = mkdtempSync(join(tmpdir(), "berth-images-"));
afterAll(() => rmSync(images, { recursive: true }));

/** All that this machine can be called by: those of IPv6 that need it with the interface. */
const ADDRESSES: readonly string[] = [
  "127.0.0.2",
  "0.0.0.0",
  "::",
  "::ffff:127.0.0.1",
  ...Object.entries(networkInterfaces()).flatMap(([name, found = []]) =>
    found.map(({ address }) => (address.startsWith("fe80") ? `${address}%${name}` : address)),
  ),
];

async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((listening) => server.listen(0, "::", listening));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Says what becomes of a connection: open, or the system's words. */
const reach = (host: string, port: number): string =>
  `said=$( (: < /dev/tcp/${host}/${port}) 2>&1 ); case "$said" in "") echo open ;; *refused) echo refused ;; *unreachable) echo unreachable ;; *) echo "$said" ;; esac`;

const send = (host: string, port: number): string =>
  `echo ${host} > /dev/udp/${host}/${port} 2> /dev/null`;

const bash = (...lines: readonly string[]) => ["bash", "-c", lines.join("\n")];

async function saidBy(
  trial: DriverOnTrial,
  lines: readonly string[],
  run: object = {},
): Promise<readonly string[]> {
  trial.start({ command: bash(...lines), run });
  await trial.harness.heard("exited");
  return trial.output.trimEnd().split("\n");
}

const image = isRoot ? layoutOf(images, "tools", [programsLayer()]) : "";
const DRIVERS: readonly ContractOf[] = [
  { driver: "sandbox" },
  { driver: "image", parts: { run: { image } }, images },
];

describe.runIf(isRoot).each(DRIVERS)("the network of a replica in the driver $driver", (of) => {
  const trial = new DriverOnTrial(of);
  let plane: Awaited<ReturnType<typeof listen>>;
  let other: Awaited<ReturnType<typeof listen>>;
  let far: AnotherMachine;
  beforeAll(async () => {
    far = await AnotherMachine.begin();
  });
  afterAll(() => far.end());
  beforeEach(async () => {
    plane = await listen();
    other = await listen();
    await trial.begin([new URL(`https://127.0.0.1:${plane.port}`)]);
  });
  afterEach(async () => {
    await trial.harness.end();
    plane.server.close();
    other.server.close();
  });

  test("has no way to the plane by any address of the machine, of IPv4 or IPv6 [DR13]", async () => {
    const tried = [...ADDRESSES, far.here];
    const said = await saidBy(
      trial,
      tried.flatMap((host) => [reach(host, plane.port), reach(host, other.port)]),
    );
    const expected = tried.flatMap((host) => [`${host} refused`, `${host} open`]);
    expect(said.map((word, at) => `${tried[Math.floor(at / 2)]} ${word}`)).toEqual(expected);
  });

  test("has no way to the plane of another agent of the machine [DR13]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-agent-"));
    const files = new ReplicaFiles(folder);
    const servers = [new URL(`https://[::1]:${other.port}`)];
    const theirs = await nodeDrivers({ folder, files, allowed: [of.driver], servers });
    try {
      const said = await saidBy(trial, [
        reach("127.0.0.1", other.port),
        reach("::1", other.port),
        reach(far.here, other.port),
      ]);
      expect(said).toEqual(["refused", "refused", "refused"]);
    } finally {
      theirs.close();
      rmSync(folder, { recursive: true });
    }
  });

  test("sends the plane no datagram either [DR13]", async () => {
    const heard: string[] = [];
    const sockets = [plane.port, other.port].map((port) => {
      const socket = createSocket({ type: "udp6", ipv6Only: false });
      socket.on("message", (bytes) => heard.push(`${port} ${bytes.toString()}`)).bind(port);
      return socket;
    });
    try {
      await saidBy(
        trial,
        ["127.0.0.1", "::1"].flatMap((host) => [send(host, plane.port), send(host, other.port)]),
      );
      await eventually("the last datagram", () => heard.includes(`${other.port} ::1\n`));
      expect(heard).toEqual([`${other.port} 127.0.0.1\n`, `${other.port} ::1\n`]);
    } finally {
      for (const socket of sockets) socket.close();
    }
  });

  test("is that of its node, where its template says nothing [DR18]", async () => {
    expect(await saidBy(trial, [reach(far.address, far.port)])).toEqual(["open"]);
  });

  test("is other machines alone, where its template says outbound [DR18]", async () => {
    const local = [...ADDRESSES, far.here];
    const lines = [
      reach(far.address, far.port),
      reach("169.254.169.254", 80),
      ...local.map((host) => reach(host, other.port)),
    ];
    const [there, cloud, ...here] = await saidBy(trial, lines, { network: "outbound" });
    expect(there).toBe("open");
    expect(cloud).toBe("refused");
    expect(here).toEqual(local.map(() => "refused"));
  });

  test("is nothing but its own loopback, where its template says none, for its probes too [DR18]", async () => {
    const look = `${reach("127.0.0.1", other.port)}; ${reach(far.address, far.port)}; wc -l < /proc/net/dev`;
    const order = trial.start({
      command: bash(`(${look}) > /tmp/own`, "cat /tmp/own", "echo ready", "exec sleep 600"),
      run: { network: "none" },
      probe: {
        action: {
          kind: "exec",
          command: bash(`(${look}) > /tmp/probed; cmp /tmp/own /tmp/probed`),
        },
        timeoutMs: 60_000,
      },
    });
    await trial.said("ready");
    // Two lines are the table's head.
    expect(trial.output.split("\n").slice(0, 3)).toEqual(["refused", "unreachable", "3"]);
    await trial.harness.heard("alive");
    trial.harness.driver.probe(order);
    expect(await trial.harness.heard("probed")).toMatchObject({ ready: true });
  });
});

describe.runIf(isRoot)("a replica whose network is outbound", () => {
  test("takes no connection from its node or from other machines [DR18]", async () => {
    const trial = new DriverOnTrial({ driver: "sandbox" });
    await trial.begin();
    const far = await AnotherMachine.begin();
    try {
      const serve =
        'use IO::Socket::IP; my $s = IO::Socket::IP->new(Listen => 5, LocalAddr => "0.0.0.0") or die; $| = 1; print $s->sockport, "\\n"; while ($s->accept) { print "accepted\\n" }';
      const portOf = async (index: number, network: "node" | "outbound"): Promise<number> => {
        const order = trial.start({ index, command: ["perl", "-e", serve], run: { network } });
        await trial.harness.heard("alive", order);
        return eventually("its port", () => {
          const said = /^(\d+)\n/.exec(readFileSync(trial.logsOf(order.replica).stdout, "utf8"));
          return said === null ? undefined : Number(said[1]);
        });
      };
      const open = await portOf(0, "node");
      const closed = await portOf(1, "outbound");
      expect(await far.connect(far.here, open, 60_000)).toBe("open");
      expect(await far.connect(far.here, closed, 1_500)).toBe("silent");
    } finally {
      await trial.harness.end();
      await far.end();
    }
  });
});

test("a plain process has no network of its own, and is refused one [DR18]", async () => {
  const trial = new DriverOnTrial({ driver: "process" });
  await trial.begin();
  try {
    trial.start({ command: sh("exit 0"), run: { network: "none" } });
    const { code, reason } = await trial.harness.heard("exited");
    expect(code).toBe(126);
    expect(reason).toBe(
      "Its template asks for the network none, which only the drivers sandbox and image give.",
    );
  } finally {
    await trial.harness.end();
  }
});
