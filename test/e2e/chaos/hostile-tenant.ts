/**
 * A tenant who means harm, beside the honest one: replicas that fail at once, names that come and go, lists that are asked for and
 * not read, bodies that do not come, patches that grow, YAML of many keys, keys of other people's writes. All of it within
 * the tenant's own quota and bounded in count and size; whether it is refused or taken is the plane's affair.
 */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export const HARM = [
  "failing-replicas",
  "flood",
  "unread-lists",
  "half-bodies",
  "growing-patch",
  "many-keys",
  "foreign-keys",
] as const;
export type Harm = (typeof HARM)[number];

const ROOT = "/apis/berth.dev/v1";
const OWN = `${ROOT}/namespaces/hostile/workloads`;
/** Between two of them: the honest work shares the machine, and the machine is not what is tried here. */
const PAUSE_MS = 400;
/** Names that come and go. */
const NAMES = 12;
const AT_ONCE = 12;
/** A client that was never answered goes on with something else. */
const ANSWER_MS = 5_000;
const HOLD_MS = 1_000;

export class HostileTenant {
  private readonly url: string;
  private readonly known: Readonly<Record<string, string>>;
  /** How often each was tried and answered by a plane that knew the caller, in whatever way. */
  readonly done = new Map<Harm, number>();

  /** `known`: the headers by which the plane knows who asks. */
  constructor(url: string, known: Readonly<Record<string, string>>) {
    this.url = url;
    this.known = known;
  }

  async run(over: AbortSignal): Promise<void> {
    for (let round = 0; !over.aborted; round += 1) {
      const harm = HARM[round % HARM.length] ?? HARM[0];
      const answers = await this.harm(harm, round);
      if (answers > 0) this.done.set(harm, (this.done.get(harm) ?? 0) + answers);
      await sleep(PAUSE_MS);
    }
  }

  private async harm(harm: Harm, round: number): Promise<number> {
    switch (harm) {
      case "failing-replicas":
        // Its tenant and its quota first, for as long as no plane has taken them.
        return this.all([
          this.send("POST", `${ROOT}/tenants`, anObject("Tenant", "hostile", {})),
          this.send("POST", `${ROOT}/namespaces/hostile/quotas`, QUOTA),
          this.send("POST", OWN, failing("crashing", 200)),
        ]);
      case "flood":
        return this.all(
          Array.from({ length: AT_ONCE }, (_, at) => {
            const name = `flood-${(round + at) % NAMES}`;
            return at % 2 === 0
              ? this.send("POST", OWN, failing(name, 3))
              : this.send("DELETE", `${OWN}/${name}`);
          }),
        );
      case "unread-lists":
        return this.all(Array.from({ length: AT_ONCE }, () => this.hold(`${ROOT}/replicas`)));
      case "half-bodies":
        return this.all(Array.from({ length: AT_ONCE }, () => this.hold(OWN, "{")));
      case "growing-patch":
        return this.all([
          this.send("PATCH", `${ROOT}/tenants/hostile`, GROWING, "json-patch+json"),
        ]);
      case "many-keys":
        return this.all([this.send("POST", OWN, MANY_KEYS, "yaml")]);
      case "foreign-keys":
        return this.all(
          Array.from({ length: AT_ONCE }, (_, at) =>
            this.send("POST", OWN, failing(`key-${at}`, 1), "json", {
              "idempotency-key": `${round + at}`,
            }),
          ),
        );
    }
  }

  private async all(answers: readonly Promise<boolean>[]): Promise<number> {
    return (await Promise.all(answers)).filter(Boolean).length;
  }

  /** Whether a plane answered that knew the caller: harm that stops at the door is none. */
  private async send(
    method: string,
    path: string,
    body?: unknown,
    type = "json",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}${path}`, {
        method,
        headers: { ...this.known, ...headers, "content-type": `application/${type}` },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await answer.arrayBuffer();
      return answer.status !== 401;
    } catch {
      return false;
    }
  }

  /** Asks and does not read, or begins a body and does not end it; lets go after a while. */
  private hold(path: string, body?: string): Promise<boolean> {
    return new Promise((resolve) => {
      const length = body === undefined ? {} : { "content-length": "100000" };
      const headers = { ...this.known, ...length };
      const method = body === undefined ? "GET" : "POST";
      const asked = request(`${this.url}${path}`, { method, headers, agent: false });
      let isThere = false;
      asked.on("socket", (socket) => socket.once("connect", () => (isThere = true)));
      asked.on("error", () => undefined);
      // Never read: what does not fit into the socket stays with the plane.
      asked.on("response", (response) => response.pause());
      if (body === undefined) asked.end();
      else asked.write(body);
      setTimeout(() => {
        asked.destroy();
        resolve(isThere);
      }, HOLD_MS);
    });
  }
}

const anObject = (kind: string, name: string, spec: object, namespace?: string) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec,
});

const QUOTA = anObject("Quota", "default", { limit: { cpu: "60m", memory: "512Mi" } }, "hostile");

const failing = (name: string, replicas: number) => {
  const resources = { cpu: "10m", memory: "16Mi" };
  const env = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`E${at}`, "x".repeat(200)]),
  );
  const run = { command: ["false"], env };
  return anObject("Workload", name, { replicas, resources, run }, "hostile");
};

/** Doubles what it has made, again and again. */
const GROWING = JSON.stringify([
  { op: "add", path: "/x", value: ["x"] },
  ...Array.from({ length: 28 }, () => ({ op: "copy", from: "/x", path: "/x/-" })),
]);

const MANY_KEYS = `apiVersion: berth.dev/v1\nkind: Workload\n${Array.from({ length: 60_000 }, (_, at) => `k${at}: v`).join("\n")}\n`;
