/**
 * The members of an etcd in the order in which they are to be asked. The first one is used until it
 * fails; then it goes to the end, so that a member that comes and goes is not asked again before
 * the others were.
 */
import { EtcdUnavailable } from "./etcd-api.ts";
import type { GrpcConnection } from "./grpc-connection.ts";

export type OpenConnection = (endpoint: string) => Promise<GrpcConnection>;

interface Member {
  readonly endpoint: string;
  connection: GrpcConnection | undefined;
  /** Shared by all who want it at the same time. */
  opening: Promise<GrpcConnection> | undefined;
}

export class MemberRing {
  private members: readonly Member[];
  private readonly open: OpenConnection;
  private closed = false;

  constructor(endpoints: readonly string[], open: OpenConnection) {
    this.members = endpoints.map((endpoint) => ({
      endpoint,
      connection: undefined,
      opening: undefined,
    }));
    this.open = open;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /**
   * To the first member that takes one; rejects with EtcdUnavailable when each has been asked once,
   * or at the deadline.
   */
  async connection(endMs: number): Promise<GrpcConnection> {
    const reasons: string[] = [];
    // The order as it is now: a failed member is moved in a new one.
    for (const member of this.members) {
      if (this.isClosed) throw new EtcdUnavailable("The client of etcd was closed.");
      if (member.connection?.isUsable === true) return member.connection;
      try {
        return await before(endMs, member.endpoint, this.connect(member));
      } catch (error) {
        reasons.push((error as Error).message);
        this.leave(member.endpoint);
      }
    }
    throw new EtcdUnavailable(`No member of etcd can be reached: ${reasons.join("; ")}.`);
  }

  /** Asked last from now on. */
  leave(endpoint: string): void {
    const [first, ...others] = this.members;
    // Only from the front: when several calls fail with a member, the first of them has moved it
    // already.
    if (first?.endpoint === endpoint) this.members = [...others, first];
  }

  close(): void {
    this.closed = true;
    for (const { connection } of this.members) connection?.close();
  }

  private async connect(member: Member): Promise<GrpcConnection> {
    member.opening ??= this.open(member.endpoint);
    const { opening } = member;
    try {
      const connection = await opening;
      if (this.isClosed) connection.close();
      else member.connection = connection;
      return connection;
    } finally {
      if (member.opening === opening) member.opening = undefined;
    }
  }
}

/** What comes too late is not wasted: the next call finds the connection open. */
async function before<T>(endMs: number, endpoint: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const leftMs = Math.max(0, endMs - performance.now());
    const why = `cannot connect to ${endpoint}: there was no time left`;
    timer = setTimeout(() => reject(new Error(why)), leftMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
