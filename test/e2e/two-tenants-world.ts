/**
 * Two tenants on one plane with two agents, all as real processes, with sandboxes on the nodes. The victim's service has a
 * replica on each node, so whatever the hostile tenant runs is beside one. Ways to act as each of them.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../src/serve/free-port.ts";
import { BuiltBerth } from "../bench/a-built-berth.ts";
import { removeFolder } from "../builders/remove-folder.ts";
import { KeptBerth } from "./chaos/kept-berth.ts";

/** Only bounds a hang. */
const PATIENCE_MS = 180_000;

export const TOKENS = {
  root: "root-0123456789abcdef",
  ana: "ana-0123456789abcdef",
  eve: "eve-0123456789abcdef",
  n1: "n1-0123456789abcdef",
  n2: "n2-0123456789abcdef",
} as const;
type Person = "root" | "ana" | "eve";

export const BERTH = "/apis/berth.dev/v1";
export const RBAC = "rbac.authorization.k8s.io";
/** Names that no honest answer to the other tenant has by chance. */
export const VICTIM = "bluebank";
export const HOSTILE = "redteam";
/** A priority class that no tenant may use. */
export const FIRST = "first";
export const SERVICE = "ledger";
/** In the victim's environment, secret, annotations and output. */
export const CANARY = "canary-8d2f51c7";

const NODES = { n1: "eu-a", n2: "eu-b" } as const;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Shown {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly namespace?: string;
    readonly resourceVersion: string;
  };
  readonly status?: {
    readonly stage?: string;
    readonly health?: string;
    readonly incarnation?: number;
    readonly failures?: number;
    readonly lastEnd?: string;
    readonly unready?: unknown;
    readonly failingProbe?: unknown;
    readonly node?: string;
  };
}

export class TwoTenants {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-tenants-"));
  private readonly built = new BuiltBerth();
  private readonly kept: KeptBerth[] = [];
  port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    await this.built.build();
    this.port = await findFreePort("127.0.0.1");
    const tokens = join(this.folder, "tokens");
    const { root, ana, eve, n1, n2 } = TOKENS;
    const lines = [`admin root ${root}`, `user ana ${ana}`, `user eve ${eve}`];
    lines.push(`agent n1 ${n1}`, `agent n2 ${n2}`);
    writeFileSync(tokens, `${lines.join("\n")}\n`, { mode: 0o600 });
    const keyFile = join(this.folder, "secret.key");
    writeFileSync(keyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const listen = ["--listen", `127.0.0.1:${this.port}`, "--token-file", tokens];
    this.keep("plane", "plane", "--data", this.folder, ...listen, "--secret-key-file", keyFile);
    await this.until("the plane", async () => (await this.ask("root", "/readyz")).status === 200);
    await this.setUp();
    for (const [name, zone] of Object.entries(NODES)) this.startAgent(name, zone);
    await this.until("the service of the victim", async () => (await this.served()).length === 2);
  }

  async remove(): Promise<void> {
    // The agents first: they stop what they run.
    await Promise.all(this.kept.slice(1).map((one) => one.stop()));
    await this.kept[0]?.stop();
    for (const one of this.kept) one.end();
    this.built.remove();
    await removeFolder(this.folder);
  }

  async ask(who: Person | undefined, path: string, asked: Asked = {}): Promise<Answer> {
    const { method = "GET", body, type = "application/json", headers = {} } = asked;
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(who === undefined ? {} : { authorization: `Bearer ${TOKENS[who]}` }),
        ...(body === undefined ? {} : { "content-type": type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, text: await answer.text() };
  }

  async make(who: Person, path: string, object: unknown): Promise<void> {
    const { status, text } = await this.ask(who, path, { method: "POST", body: object });
    if (status !== 201) throw new Error(`POST ${path} by ${who}: ${status} ${text}`);
  }

  async read(who: Person, path: string): Promise<Shown> {
    const { status, text } = await this.ask(who, path);
    if (status !== 200) throw new Error(`GET ${path} by ${who}: ${status} ${text}`);
    return JSON.parse(text) as Shown;
  }

  async list(who: Person, path: string): Promise<readonly Shown[]> {
    return ((await this.read(who, path)) as unknown as { readonly items: readonly Shown[] }).items;
  }

  replicasOf(who: Person, tenant: string): Promise<readonly Shown[]> {
    return this.list(who, `${BERTH}/namespaces/${tenant}/replicas`);
  }

  /** The victim's replicas that serve. */
  async served(): Promise<readonly Shown[]> {
    const replicas = await this.replicasOf("ana", VICTIM);
    return replicas.filter(({ status }) => status?.stage === "serving");
  }

  async kubectl(who: Person, ...args: readonly string[]) {
    const file = join(this.folder, `${who}.kubeconfig`);
    const cluster = {
      server: this.url.replace("http:", "https:"),
      "certificate-authority": join(this.folder, "loopback.crt"),
    };
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "berth", cluster }],
      users: [{ name: who, user: { token: TOKENS[who] } }],
      contexts: [{ name: "berth", context: { cluster: "berth", user: who } }],
      "current-context": "berth",
    };
    writeFileSync(file, JSON.stringify(config));
    const cache = `--cache-dir=${join(this.folder, `cache-${who}`)}`;
    const child = spawn("kubectl", ["--kubeconfig", file, cache, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (out += part.toString()));
    child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, out, err };
  }

  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    let why = "";
    for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
      const is = await isSo().catch((error: unknown) => {
        why = String(error);
        return false;
      });
      if (is) return;
      await sleep(100);
    }
    const said = ["plane", "n1", "n2"].map((name) => this.lastWords(name)).join("\n");
    throw new Error(`Waited in vain for ${what}. ${why}\n${said}`);
  }

  private lastWords(name: string): string {
    try {
      return readFileSync(join(this.folder, `${name}.log`), "utf8").slice(-2_000);
    } catch {
      return `${name} was not started`;
    }
  }

  private startAgent(name: string, zone: string): void {
    const token = join(this.folder, `${name}.token`);
    writeFileSync(token, TOKENS[name as "n1" | "n2"], { mode: 0o600 });
    const place = ["--name", name, "--region", "eu", "--zone", zone, "--cpu", "2"];
    const rest = ["--memory", "2Gi", "--token-file", token, "--drivers", "sandbox"];
    const data = ["--data", this.agentFolder(name), "--stop-processes-on-exit"];
    this.keep(name, "agent", "--server", this.url, ...place, ...rest, ...data);
  }

  agentFolder(name: string): string {
    return join(this.folder, "agents", name);
  }

  private keep(name: string, ...args: readonly string[]): void {
    const script = join(this.built.folder, "berth.mjs");
    const one = new KeptBerth({ script, args, log: join(this.folder, `${name}.log`) });
    this.kept.push(one);
    one.start();
  }

  private async setUp(): Promise<void> {
    const zones = Object.values(NODES);
    await this.make("root", `${BERTH}/regions`, anObject("Region", "eu", { zones }));
    for (const [name, zone] of Object.entries(NODES)) {
      const spec = { region: "eu", zone, capacity: { cpu: 2, memory: "2Gi" } };
      await this.make("root", `${BERTH}/nodes`, anObject("Node", name, spec));
    }
    const first = anObject("PriorityClass", FIRST, { value: 1_000 });
    await this.make("root", `${BERTH}/priorityclasses`, first);
    for (const [tenant, user, role] of [
      [VICTIM, "ana", "edit"],
      [HOSTILE, "eve", "admin"],
    ] as const) {
      await this.make("root", `${BERTH}/tenants`, anObject("Tenant", tenant, {}));
      const limit = { cpu: 2, memory: "1536Mi" };
      const quota = anObject("Quota", "default", { limit }, tenant);
      await this.make("root", `${BERTH}/namespaces/${tenant}/quotas`, quota);
      const bindings = `/apis/${RBAC}/v1/namespaces/${tenant}/rolebindings`;
      await this.make("root", bindings, aBinding({ name: "team", role, user }));
    }
    const secrets = `/api/v1/namespaces/${VICTIM}/secrets`;
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "db" } };
    await this.make("ana", secrets, { ...secret, stringData: { password: CANARY } });
    await this.make("ana", `${BERTH}/namespaces/${VICTIM}/workloads`, THE_SERVICE);
  }
}

export const anObject = (kind: string, name: string, spec: unknown, namespace?: string) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec,
});

export const aBinding = (of: {
  readonly name: string;
  readonly role: string;
  readonly user: string;
  readonly kind?: string;
}) => ({
  apiVersion: `${RBAC}/v1`,
  kind: of.kind ?? "RoleBinding",
  metadata: { name: of.name },
  roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: of.role },
  subjects: [{ apiGroup: RBAC, kind: "User", name: of.user }],
});

const WORK = `echo "$WORD" > word; echo "$WORD"; while :; do sleep 1; done`;
const THE_SERVICE = {
  ...anObject("Workload", SERVICE, {
    replicas: 2,
    resources: { cpu: "200m", memory: "64Mi" },
    placement: { maxPerNode: 1 },
    run: {
      command: ["sh", "-c", WORK],
      env: { WORD: CANARY },
      secretFiles: { password: { name: "db", key: "password" } },
    },
    // Long enough for the slowest machine: a probe that is late shows as one that is never green.
    probes: { ready: { exec: { command: ["grep", "-q", CANARY, "word"] }, timeout: "60s" } },
  }),
  metadata: { name: SERVICE, labels: { app: SERVICE }, annotations: { "team/note": CANARY } },
};
