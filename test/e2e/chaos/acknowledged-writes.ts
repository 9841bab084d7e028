/**
 * A client that remembers what it was promised. Each write is sent until it is acknowledged, under one key, and only then
 * counts; what no plane acknowledged was promised by nobody.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** A plane that is frozen or gone says nothing; the next try may meet the one after it. */
const ANSWER_MS = 2_000;
const PAUSE_MS = 100;

export class AcknowledgedWrites {
  private readonly url: string;
  /** Paths of what must be there, and of what must not. */
  readonly created = new Set<string>();
  readonly deleted = new Set<string>();
  /** Replicas by the path of their workload. */
  readonly scaled = new Map<string, number>();
  /** How often a write was sent again because nobody had answered. */
  unanswered = 0;
  private readonly known: Readonly<Record<string, string>>;

  /** `known`: the headers by which the plane knows who asks. */
  constructor(url: string, known: Readonly<Record<string, string>> = {}) {
    this.url = `${url}/apis/berth.dev/v1`;
    this.known = known;
  }

  get count(): number {
    return this.created.size + this.deleted.size + this.scaled.size;
  }

  async create(collection: string, object: { readonly metadata: { readonly name: string } }) {
    await this.send({ method: "POST", path: collection, body: object });
    this.created.add(`${collection}/${object.metadata.name}`);
  }

  async delete(path: string): Promise<void> {
    await this.send({ method: "DELETE", path });
    this.created.delete(path);
    this.deleted.add(path);
  }

  async scale(path: string, replicas: number): Promise<void> {
    await this.send({ method: "PATCH", path: `${path}/scale`, body: { spec: { replicas } } });
    this.scaled.set(path, replicas);
  }

  /** What was promised and is not so, in sentences. */
  async broken(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const path of this.created)
      if ((await this.look(path)).status !== 200) found.push(`${path} was created and is gone`);
    for (const path of this.deleted)
      if ((await this.look(path)).status !== 404) found.push(`${path} was deleted and is there`);
    for (const [path, replicas] of this.scaled) {
      const { spec } = (await (await this.look(path)).json()) as { spec: { replicas: number } };
      if (spec.replicas !== replicas)
        found.push(`${path} was scaled to ${replicas} and has ${spec.replicas}`);
    }
    return found;
  }

  private look(path: string): Promise<Response> {
    return fetch(`${this.url}/${path}`, { headers: this.known });
  }

  private async send({ method, path, body }: Write): Promise<void> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { ...this.known, "idempotency-key": randomUUID(), "content-type": type };
    const rest = body === undefined ? {} : { body: JSON.stringify(body) };
    for (;;) {
      const answer = await this.tryOnce(path, { method, headers, ...rest });
      if (answer?.ok === true) return;
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${method} ${path} was refused: ${answer.status} ${await answer.text()}`);
      this.unanswered += 1;
      await sleep(PAUSE_MS);
    }
  }

  private async tryOnce(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(`${this.url}/${path}`, { ...init, signal });
      // An answer counts when all of it was heard.
      const text = await answer.text();
      return new Response(text, { status: answer.status });
    } catch {
      return undefined;
    }
  }
}
