/** The victim at work: it asks and writes one request after the other, and watches its replicas, until the test is over. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BERTH,
  CANARY,
  SERVICE,
  type Shown,
  TOKENS,
  type TwoTenants,
  VICTIM,
} from "./two-tenants-world.ts";

const REPLICAS = `${BERTH}/namespaces/${VICTIM}/replicas`;
const SERVED = `${BERTH}/namespaces/${VICTIM}/workloads/${SERVICE}`;
const PAUSE_MS = 100;

export class VictimAtWork {
  /** The id of an operation of the victim's. */
  readonly mine: string;
  private readonly key = randomUUID();
  /** Its replicas as they served at the beginning. */
  before: readonly (readonly [string, number | undefined])[] = [];
  private readonly world: TwoTenants;
  private readonly stopping = new AbortController();
  private readonly refused: unknown[] = [];
  private readonly seen: unknown[] = [];
  private requests = 0;
  private over: Promise<unknown> = Promise.resolve();

  static async begin(world: TwoTenants): Promise<VictimAtWork> {
    const victim = new VictimAtWork(world);
    const served = await world.served();
    victim.before = served.map(({ metadata, status }) => [metadata.uid, status?.incarnation]);
    await victim.write({ "idempotency-key": victim.key });
    const { metadata } = await world.read("ana", REPLICAS);
    victim.over = Promise.all([victim.work(), victim.watch(metadata.resourceVersion)]);
    return victim;
  }

  private constructor(world: TwoTenants) {
    this.world = world;
    this.mine = `put/Workload/${VICTIM}/${SERVICE}/${this.key}`;
  }

  async end() {
    this.stopping.abort();
    await this.over;
    const { requests, refused, seen } = this;
    return { requests, refused, seen };
  }

  private async work(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.ask(SERVED);
      const replicas = await this.ask(REPLICAS);
      await this.ask(`${REPLICAS}/${SERVICE}.1.0/log`, (text) => text.includes(CANARY));
      if (!replicas.includes(CANARY)) await this.write({});
      await sleep(PAUSE_MS);
    }
  }

  private async write(headers: Readonly<Record<string, string>>): Promise<void> {
    const body = { metadata: { annotations: { "team/turn": String(this.requests) } } };
    const type = "application/merge-patch+json";
    this.note(
      "PATCH",
      await this.world.ask("ana", SERVED, { method: "PATCH", body, type, headers }),
    );
  }

  private async ask(
    path: string,
    isRight: (text: string) => boolean = () => true,
  ): Promise<string> {
    const answer = await this.world.ask("ana", path);
    this.note(path, answer, isRight(answer.text));
    return answer.text;
  }

  private note(
    what: string,
    { status, text }: { readonly status: number; readonly text: string },
    isRight = true,
  ): void {
    this.requests += 1;
    if (status !== 200 || !isRight) this.refused.push([what, status, text.slice(0, 200)]);
  }

  /** Notes what any of its replicas is but serving, or begun anew. */
  private async watch(from: string): Promise<void> {
    const { signal } = this.stopping;
    try {
      const answer = await fetch(
        `${this.world.url}${REPLICAS}?watch=true&resourceVersion=${from}`,
        {
          headers: { authorization: `Bearer ${TOKENS.ana}` },
          signal,
        },
      );
      if (answer.status !== 200) this.seen.push(answer.status);
      let rest = "";
      const decoder = new TextDecoder();
      for await (const part of answer.body ?? []) {
        const lines = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.look(line);
      }
      if (!signal.aborted) this.seen.push("the watch ended");
    } catch (error) {
      if (!signal.aborted) this.seen.push(String(error));
    }
  }

  private look(line: string): void {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Shown };
    if (type === "BOOKMARK") return;
    const { stage, incarnation, unready } = object.status ?? {};
    const isKnown = this.before.some(
      ([uid, count]) => uid === object.metadata.uid && count === incarnation,
    );
    if (type !== "MODIFIED" || stage !== "serving" || unready !== undefined || !isKnown)
      this.seen.push(object);
  }
}
