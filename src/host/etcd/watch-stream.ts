/**
 * A watch on one member, until it ends. A member that has gone silent is noticed by asking whether
 * it is there.
 */
import type { WatchAsk } from "./etcd-api.ts";
import type { EtcdCaller } from "./etcd-caller.ts";
import type { GrpcStream } from "./grpc-connection.ts";
import { GrpcFailure } from "./grpc-failure.ts";
import {
  decodeWatch,
  encodeProgressRequest,
  encodeWatch,
  type WatchAnswer,
} from "./watch-messages.ts";

/**
 * Looks are counted, not milliseconds: when we were stopped ourselves, what has arrived is read
 * before the next.
 */
const LOOK_MS = 1_000;
/**
 * It is asked at every look and answers at once; so many looks without a word, and the member is
 * gone.
 */
const SILENT_LOOKS = 4;

export class WatchStream {
  private readonly onAnswer: (answer: WatchAnswer) => void;
  private stream: (GrpcStream & { endpoint: string }) | undefined;
  private silentLooks = 0;
  private why: GrpcFailure | undefined;
  private finish: (failure: GrpcFailure) => void = () => {};

  constructor(onAnswer: (answer: WatchAnswer) => void) {
    this.onAnswer = onAnswer;
  }

  /** Where it is; undefined while it looks for a member. */
  get endpoint(): string | undefined {
    return this.stream?.endpoint;
  }

  /** Resolves with the reason for its end; rejects when no member can be reached. */
  async run(caller: EtcdCaller, ask: Pick<WatchAsk, "key" | "end" | "from">): Promise<GrpcFailure> {
    const over = new Promise<GrpcFailure>((resolve) => (this.finish = resolve));
    this.stream = await caller.stream({
      path: "/etcdserverpb.Watch/Watch",
      onMessage: (message) => this.hear(message),
      onEnd: (failure) => this.finish(failure),
    });
    const { stream } = this;
    // Ended by its user while it looked for a member.
    if (this.why !== undefined) stream.cancel();
    stream.send(encodeWatch(ask));
    const looks = setInterval(() => this.look(stream), LOOK_MS);
    const failure = await over;
    clearInterval(looks);
    return this.why ?? failure;
  }

  /** Nothing is heard of it after this. */
  end(why: GrpcFailure): void {
    this.why ??= why;
    this.stream?.cancel();
  }

  private hear(message: Uint8Array): void {
    this.silentLooks = 0;
    if (this.why === undefined) this.onAnswer(decodeWatch(message));
  }

  private look(stream: GrpcStream): void {
    this.silentLooks += 1;
    if (this.silentLooks <= SILENT_LOOKS) stream.send(encodeProgressRequest());
    else this.end(new GrpcFailure("lost", "it no longer answers"));
  }
}
