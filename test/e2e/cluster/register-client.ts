/**
 * A client that asks for one thing after the other, at whichever plane, and remembers all of it. Half of its writes carry an
 * Idempotency-Key: those it sends again, to another plane, until it knows; some of them also after it knows.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import { type Answer, type Asked, type Call, isWrite } from "./history/call.ts";
import { registerCall } from "./register-call.ts";

interface Target {
  readonly name: string;
  readonly url: string;
}

export interface ClientOf {
  readonly name: string;
  readonly seed: number;
  readonly planes: readonly Target[];
  /** The plane it asks first, by number; left out: another each time. */
  readonly home?: number;
  /** It writes nothing, and so never waits for a leader. */
  readonly onlyReads?: true;
  readonly keys: readonly string[];
  readonly calls: Call[];
}

/** Writers that meet on the same few keys, and readers that look at them. */
const MIX =
  "create create replace replace replace set set set set delete get get get get get since since list list list".split(
    " ",
  );
const READS = ["get", "get", "since", "list"];
/** Then another plane has had its turn, and nobody knows more than before. */
const SENDS = 4;
const AGAIN_MS = 100;

export class RegisterClient {
  private readonly of: ClientOf;
  private readonly random: KeyedRandom;
  private readonly seen = new Map<string, number>();
  private at = 0;

  constructor(of: ClientOf) {
    this.of = of;
    this.random = new KeyedRandom(of.seed, of.name);
  }

  async run(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.ask(this.draw(), over);
      await sleep(this.random.between("pause", this.at, 5, 30));
    }
  }

  /** Sends it until it knows, or may not send it again. */
  async ask(asked: Asked, over?: AbortSignal): Promise<Answer> {
    this.at += 1;
    const isKeyed = isWrite(asked) && this.random.chance("keyed", this.at, 50);
    const key = isKeyed ? `${this.of.name}.${this.of.seed}.${this.at}` : undefined;
    const invokedMs = performance.now();
    const planes: string[] = [];
    let answer: Answer = { kind: "refused", why: "it was not sent" };
    let isOpen = false;
    for (let send = 0; send < SENDS; send += 1) {
      answer = await this.send(asked, planes, key);
      if (isKnown(answer) || key === undefined || over?.aborted === true) break;
      isOpen ||= answer.kind === "unknown";
      await sleep(AGAIN_MS);
    }
    // A no does not say what becomes of a request that was sent before it and may still be on its way.
    if (isOpen && !isDone(answer)) answer = { kind: "unknown", why: "an earlier one is open" };
    const returnedMs = performance.now();
    const isRepeated = isDone(answer) && this.random.chance("again", this.at, 25);
    const again = isKeyed && isRepeated ? await this.send(asked, [...planes], key) : undefined;
    const call = { client: this.of.name, planes, asked, invokedMs, returnedMs, answer };
    this.of.calls.push({ ...call, ...(again === undefined ? {} : { again }) });
    this.note(answer);
    return answer;
  }

  private send(asked: Asked, planes: string[], key: string | undefined): Promise<Answer> {
    const { planes: all, home } = this.of;
    const first = home ?? this.random.draw("plane", this.at);
    const plane = all[(first + planes.length) % all.length] as Target;
    planes.push(plane.name);
    return registerCall(plane.url, asked, key);
  }

  private draw(): Asked {
    const { random, at } = this;
    const { keys, name, onlyReads = false } = this.of;
    const key = keys[random.draw("key", at) % keys.length] as string;
    const value = `${name}.${at}`;
    const known = this.seen.get(key);
    const mix = onlyReads ? READS : MIX;
    switch (mix[random.draw("op", at) % mix.length]) {
      case "create":
        return { op: "create", key, value };
      case "replace":
        return { op: "replace", key, value };
      case "set":
        if (known === undefined) return { op: "get", key };
        return { op: "replace", key, value, expected: known };
      case "delete":
        return { op: "delete", key };
      case "since":
        return { op: "get", key, notBefore: Math.max(1, ...this.seen.values()) };
      case "list":
        return { op: "list" };
      default:
        return { op: "get", key };
    }
  }

  private note(answer: Answer): void {
    const objects =
      answer.kind === "listed" ? answer.objects : answer.kind === "shown" ? [answer.object] : [];
    for (const { key, revision } of objects) this.seen.set(key, revision);
  }
}

const isKnown = ({ kind }: Answer): boolean => kind !== "unknown" && kind !== "refused";
const isDone = ({ kind }: Answer): boolean => kind === "shown" || kind === "deleted";
