/**
 * A real plane with tokens, an honest tenant whose service runs on a real agent, and everything that an attacker has: tokens of
 * users, of the agents of two other nodes and of a controller. Ways to look at what the attack must not have changed.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../src/serve/free-port.ts";
import { BuiltBerth } from "../bench/a-built-berth.ts";
import { AcknowledgedWrites } from "../e2e/chaos/acknowledged-writes.ts";
import { KeptBerth } from "../e2e/chaos/kept-berth.ts";
import { type PublishedKinds, readPublished } from "./generate-manifest.ts";
import type { CallerName } from "./hostile-case.ts";
import { HONEST, OWN_TENANTS } from "./nasty-values.ts";
import type { Target } from "./send-case.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** In the environment of the honest service; no other node's agent may ever read it. */
export const CANARY = "canary-5f1e0c3b";

/** Only bounds a hang. */
const PATIENCE_MS = 120_000;
/** A plane that needs more than this for a world so small has been made to; it dies here instead of filling the machine. */
const HEAP_MIB = 768;

const TOKENS: Readonly<Record<string, string>> = {
  alice: "alice-0123456789abcdef",
  mallory: "mallory-0123456789abcdef",
  bob: "bob-0123456789abcdef",
  robot: "robot-0123456789abcdef",
  n1: "n1-0123456789abcdef",
  n2: "n2-0123456789abcdef",
  n3: "n3-0123456789abcdef",
};
const KINDS_OF: Readonly<Record<string, string>> = {
  alice: "admin",
  robot: "controller",
  n1: "agent",
  n2: "agent",
  n3: "agent",
};

interface Shown {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
    readonly resourceVersion: string;
  };
  readonly spec?: unknown;
  readonly status?: {
    readonly stage?: string;
    readonly incarnation?: number;
    readonly health?: string;
    /** Of a node: moves with its health, so that a lease that was late between two looks shows. */
    readonly since?: string;
    readonly session?: number;
  };
}

export class HostilePlane {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-hostile-"));
  private readonly built = new BuiltBerth();
  private readonly kept: KeptBerth[] = [];
  private port = 0;
  published: PublishedKinds = { kinds: [], components: {} };

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get plane(): KeptBerth {
    const [plane] = this.kept;
    if (plane === undefined) throw new Error("The plane was not started.");
    return plane;
  }
  get target(): Target {
    return {
      port: this.port,
      tokenOf: (caller: CallerName) => TOKENS[caller],
      revision: () => this.revision(),
    };
  }

  async start(): Promise<void> {
    await this.built.build();
    this.port = await findFreePort("127.0.0.1");
    const tokens = join(this.folder, "tokens");
    const lines = Object.entries(TOKENS).map(
      ([name, token]) => `${KINDS_OF[name] ?? "user"} ${name} ${token}\n`,
    );
    writeFileSync(tokens, lines.join(""), { mode: 0o600 });
    const own = join(this.folder, "n1.token");
    writeFileSync(own, TOKENS["n1"] ?? "", { mode: 0o600 });
    const listen = `127.0.0.1:${this.port}`;
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
    this.keep(
      "plane",
      ["plane", "--data", this.folder, "--listen", listen, "--token-file", tokens],
      env,
    );
    await this.until("the plane", async () => ((await this.get("/readyz")) ? true : undefined));
    this.published = readPublished(
      await this.read("/apis/berth.dev/v1"),
      await this.read("/openapi/v3/apis/berth.dev/v1"),
    );
    await this.setUp();
    const place = ["--name", HONEST.node, "--region", HONEST.region, "--zone", "home-a"];
    const data = join(this.folder, "agents", HONEST.node);
    const rest = [
      "--token-file",
      own,
      "--data",
      data,
      "--drivers",
      "process",
      "--stop-processes-on-exit",
    ];
    this.keep("n1", ["agent", "--server", this.url, ...place, ...rest]);
    await this.untilServing();
  }

  async remove(): Promise<void> {
    // The agent first: it stops what it runs.
    for (const one of this.kept.toReversed()) await one.stop();
    for (const one of this.kept) one.end();
    this.built.remove();
    await removeFolder(this.folder);
  }

  /** As a power cut would; resolves when it answers again. */
  async killAndWait(): Promise<void> {
    const { starts } = this.plane;
    this.plane.kill();
    await this.until("the plane to come back", async () =>
      this.plane.starts > starts && (await this.get("/readyz")) ? true : undefined,
    );
  }

  /** With which the honest tenant asks. */
  get honestHeaders(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${TOKENS["alice"]}` };
  }

  /** A client of the honest tenant that remembers what it was promised. */
  aBookkeeper(): AcknowledgedWrites {
    return new AcknowledgedWrites(this.url, { authorization: `Bearer ${TOKENS["alice"]}` });
  }

  /** Main thread's time on a processor, in ms: what a request costs, whoever else uses the machine. */
  busyMs(): number {
    const { pid } = this.plane;
    try {
      const [ns = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
      return Number(ns) / 1e6;
    } catch {
      return 0;
    }
  }

  residentMiB(): number {
    try {
      const status = readFileSync(`/proc/${this.plane.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }

  async revision(): Promise<number> {
    const { metadata } = (await this.read("/apis/berth.dev/v1/tenants?limit=1")) as {
      readonly metadata: { readonly resourceVersion: string };
    };
    return Number(metadata.resourceVersion);
  }

  /** What of the honest tenant must stay as it is; status but for what says that it serves is left out. */
  async honestState(): Promise<string> {
    const paths = [
      `/apis/berth.dev/v1/tenants/${HONEST.tenant}`,
      `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/quotas/default`,
      `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/workloads/${HONEST.workload}`,
      `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/replicas/${HONEST.workload}.1.0`,
      `/apis/berth.dev/v1/nodes/${HONEST.node}`,
    ];
    const objects = await Promise.all(paths.map((path) => this.read(path) as Promise<Shown>));
    return objects
      .map(({ metadata, spec, status }) => {
        const { stage, incarnation, health, session } = status ?? {};
        const since = health === undefined ? undefined : status?.since;
        const { name, uid, generation } = metadata;
        const shown = { name, uid, generation, spec, stage, incarnation, health, since, session };
        return JSON.stringify(shown);
      })
      .join("\n");
  }

  /** A batch of the honest tenant runs to its end. */
  async runsHonestWork(name: string): Promise<boolean> {
    const path = `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/workloads`;
    await this.write("POST", path, aWorkload(name, { type: "batch", run: { command: ["true"] } }));
    const replica = `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/replicas/${name}.1.0`;
    const endMs = performance.now() + PATIENCE_MS;
    while (performance.now() < endMs) {
      const { status } = ((await this.get(replica)) ?? {}) as Shown;
      if (status?.stage === "succeeded") return true;
      await sleep(200);
    }
    return false;
  }

  /** The service of the honest tenant, wherever a restart or an earlier case has left it. */
  async untilServing(): Promise<void> {
    await this.until("the honest service", async () =>
      (await this.serving()) === 1 ? true : undefined,
    );
  }

  private async serving(): Promise<number> {
    const path = `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/replicas`;
    const { items } = (await this.read(path)) as { readonly items: readonly Shown[] };
    return items.filter(({ status }) => status?.stage === "serving").length;
  }

  private async setUp(): Promise<void> {
    const root = "/apis/berth.dev/v1";
    const capacity = { cpu: 2, memory: "1Gi" };
    for (const [name, zone] of [
      [HONEST.region, "home-a"],
      ["far", "far-a"],
    ] as const)
      await this.write("POST", `${root}/regions`, anObject("Region", name, { zones: [zone] }));
    const taints = [{ key: "honest", value: "only", effect: "no-schedule" }];
    const node = { region: HONEST.region, zone: "home-a", capacity, taints };
    await this.write("POST", `${root}/nodes`, anObject("Node", HONEST.node, node));
    for (const name of ["n2", "n3"])
      await this.write(
        "POST",
        `${root}/nodes`,
        anObject("Node", name, { region: "far", zone: "far-a", capacity }),
      );
    // Attackers may do everything: no role keeps a request of theirs from what reads it.
    const rbac = "rbac.authorization.k8s.io";
    await this.write("POST", `/apis/${rbac}/v1/clusterrolebindings`, {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "all" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
      subjects: ["mallory", "bob"].map((name) => ({ apiGroup: rbac, kind: "User", name })),
    });
    for (const name of [HONEST.tenant, ...OWN_TENANTS]) {
      await this.write("POST", `${root}/tenants`, anObject("Tenant", name, {}));
      const limit = { cpu: 1, memory: "512Mi" };
      const quotas = `${root}/namespaces/${name}/quotas`;
      await this.write("POST", quotas, anObject("Quota", "default", { limit }, name));
    }
    const run = { command: ["sleep", "100000"], env: { SECRET: CANARY } };
    const path = `${root}/namespaces/${HONEST.tenant}/workloads`;
    await this.write("POST", path, aWorkload(HONEST.workload, { run }));
  }

  /** Undefined: not there, or nobody to ask. */
  async get(path: string): Promise<unknown> {
    try {
      return await this.read(path);
    } catch {
      return undefined;
    }
  }

  private async read(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${TOKENS["alice"]}` };
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(`${this.url}${path}`, { headers, signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${text}`);
    return path.startsWith("/readyz") ? text : JSON.parse(text);
  }

  private async write(method: string, path: string, body: unknown): Promise<void> {
    const headers = {
      authorization: `Bearer ${TOKENS["alice"]}`,
      "content-type": "application/json",
    };
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }

  async until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look().catch(() => undefined);
      if (seen !== undefined) return seen;
      if (performance.now() > endMs)
        throw new Error(`Waited in vain for ${what}.\n${this.lastWords()}`);
      await sleep(100);
    }
  }

  /** The end of what the plane has written. */
  lastWords(): string {
    return readFileSync(join(this.folder, "plane.log"), "utf8").slice(-3_000);
  }

  private keep(
    name: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): void {
    const script = join(this.built.folder, "berth.mjs");
    const log = join(this.folder, `${name}.log`);
    const one = new KeptBerth({ script, args, log, ...(env && { env }) });
    this.kept.push(one);
    one.start();
  }
}

const aWorkload = (name: string, spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name, namespace: HONEST.tenant },
  spec: {
    replicas: 1,
    resources: { cpu: "50m", memory: "32Mi" },
    placement: { tolerations: [{ key: "honest", value: "only", effect: "no-schedule" }] },
    ...spec,
  },
});

const anObject = (kind: string, name: string, spec: unknown, namespace?: string) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec,
});
