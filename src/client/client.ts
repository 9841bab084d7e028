/**
 * The client library: `import { BerthClient } from "@berth-dev/berth/client"`. It needs Node 20 or
 * newer and nothing else.
 */
import type { Explained, Explanation } from "../api/explain/explanation.ts";
import { BerthError } from "./berth-error.ts";
import { KindClient, type Where } from "./kind-client.ts";
import { API_VERSION, type KindName } from "./kinds/all-kinds.ts";
import { readLines } from "./read-lines.ts";
import { type ConnectOptions, Transport } from "./transport.ts";

export type {
  Applied,
  ApplyOptions,
  ConnectOptions,
  Explained,
  Explanation,
  KindName,
  KindObject,
  Kinds,
  List,
  ListOptions,
  Metadata,
  OwnerReference,
  Part,
  Selection,
  StatusCause,
  StatusDetails,
  StatusOptions,
  WatchEvent,
  WatchOptions,
  Where,
  WriteOptions,
  Written,
} from "./client-types.ts";
export { BerthError };

export interface ClientOptions extends ConnectOptions {
  /** The tenant of calls that name none. */
  readonly namespace?: string;
}

export interface LogOptions extends Where {
  readonly follow?: boolean;
  /** Of the process before the current one. */
  readonly previous?: boolean;
  readonly tailLines?: number;
}

export interface ExplainOptions extends Where {
  /** Of a replica: why it is not on this node. */
  readonly whyNot?: string;
  /** Of a replica: which changes would give it a place. */
  readonly whatIf?: boolean;
}

export class BerthClient {
  private readonly transport: Transport;
  private readonly namespace: string | undefined;

  constructor({ namespace, ...options }: ClientOptions) {
    this.transport = new Transport(options);
    this.namespace = namespace;
  }

  /** The calls of one kind: `client.kind("Workload").list()`. */
  kind<K extends KindName>(kind: K): KindClient<K> {
    return new KindClient(this.transport, kind, this.namespace);
  }

  /** The lines of a replica's log. */
  async *logs(
    replica: string,
    { namespace = this.namespace, signal, ...query }: LogOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const owner = encodeURIComponent(this.tenant(namespace));
    const name = encodeURIComponent(replica);
    const path = `/apis/${API_VERSION}/namespaces/${owner}/replicas/${name}/log`;
    const end = new AbortController();
    const both = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    try {
      const response = await this.transport.open({ method: "GET", path, query, signal: both });
      yield* readLines(response);
    } catch (error) {
      if (signal?.aborted !== true) throw this.transport.explained(error);
    } finally {
      // A reader that leaves in the middle leaves no connection behind.
      end.abort();
    }
  }

  /** Why an object is as it is, and what comes next. */
  explain(
    kind: Explained,
    name: string,
    { namespace = this.namespace, signal, ...query }: ExplainOptions = {},
  ): Promise<Explanation> {
    return this.transport.call({
      method: "GET",
      path: "/explain",
      query: { kind, name, namespace, ...query },
      ...(signal === undefined ? {} : { signal }),
    });
  }

  private tenant(namespace: string | undefined): string {
    if (namespace !== undefined) return namespace;
    throw new BerthError("A replica belongs to a tenant: pass its name as namespace.");
  }
}
