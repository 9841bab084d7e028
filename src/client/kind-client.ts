/** The calls that every kind has, typed by it. */
import type { KindObject, Metadata } from "./kind-object.ts";
import { API_VERSION, type KindName, type Kinds, RESOURCES } from "./kinds/all-kinds.ts";
import { BerthError } from "./berth-error.ts";
import type { Asked, Transport } from "./transport.ts";
import { watchKind, type WatchEvent, type WatchOptions } from "./watch-kind.ts";

/** The same with everything optional, lists as a whole. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [F in keyof T]?: Part<T[F]> }
    : T;

/** What a caller writes: the client adds apiVersion and kind. */
export type Written<K extends KindName> = Omit<Kinds[K], "apiVersion" | "kind" | "status">;

/** Some fields of an object, which the caller then owns. */
export interface Applied<K extends KindName> {
  readonly metadata: Metadata;
  readonly spec?: Part<NonNullable<Kinds[K]["spec"]>>;
}

export interface Where {
  /** The tenant; left out: the client's own, or all tenants where that is possible. */
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

export interface Selection extends Where {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  readonly limit?: number;
  readonly continue?: string;
}

export interface WriteOptions extends Where {
  readonly dryRun?: boolean;
}

export interface StatusOptions extends WriteOptions {
  /** The version that the caller saw: a change since then is a conflict. */
  readonly resourceVersion?: string;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that another manager owns. */
  readonly force?: boolean;
}

export interface List<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}

const MERGE = "application/merge-patch+json";
// JSON is YAML, too.
const APPLY = "application/apply-patch+yaml";

export class KindClient<K extends KindName> {
  private readonly transport: Transport;
  private readonly kind: K;
  private readonly ownNamespace: string | undefined;

  constructor(transport: Transport, kind: K, ownNamespace: string | undefined) {
    this.transport = transport;
    this.kind = kind;
    this.ownNamespace = ownNamespace;
  }

  list({ namespace, signal, ...query }: ListOptions = {}): Promise<List<Kinds[K]>> {
    return this.call({ method: "GET", path: this.collection(namespace), query }, signal);
  }

  get(name: string, where: Where = {}): Promise<Kinds[K]> {
    return this.call({ method: "GET", path: this.path(name, where) }, where.signal);
  }

  /** Iterates until the signal ends it; see WatchEvent. */
  watch(
    options: Selection & WatchOptions = {},
  ): AsyncGenerator<WatchEvent<Kinds[K]>, void, undefined> {
    const { labelSelector, fieldSelector } = options;
    return watchKind<Kinds[K]>({
      transport: this.transport,
      path: this.collection(options.namespace),
      query: { labelSelector, fieldSelector },
      options,
    });
  }

  create(object: Written<K>, options: WriteOptions = {}): Promise<Kinds[K]> {
    const where = { namespace: object.metadata.namespace, ...options };
    const path = this.collection(where.namespace, "needed");
    const query = this.writeQuery(options);
    return this.call({ method: "POST", path, query, body: this.whole(object) }, options.signal);
  }

  /** Server-side apply: states the fields that the client's field manager owns. */
  apply(object: Applied<K>, { force, ...options }: ApplyOptions = {}): Promise<Kinds[K]> {
    const { name, namespace } = object.metadata;
    const path = this.path(name, { ...(namespace === undefined ? {} : { namespace }), ...options });
    const query = { ...this.writeQuery(options), force };
    const body = this.whole(object);
    return this.call({ method: "PATCH", path, query, body, contentType: APPLY }, options.signal);
  }

  /** A JSON merge patch: null removes a field. */
  patch(name: string, patch: object, options: WriteOptions = {}): Promise<Kinds[K]> {
    return this.merge(this.path(name, options), patch, options);
  }

  /** A JSON merge patch of the status: conditions of one's own. */
  patchStatus(name: string, status: object, options: StatusOptions = {}): Promise<Kinds[K]> {
    const { resourceVersion } = options;
    const metadata = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
    return this.merge(`${this.path(name, options)}/status`, { ...metadata, status }, options);
  }

  /** Resolves with the object as it is when its deletion began. */
  delete(name: string, options: WriteOptions = {}): Promise<Kinds[K]> {
    const query = this.writeQuery(options);
    return this.call({ method: "DELETE", path: this.path(name, options), query }, options.signal);
  }

  private merge(path: string, body: object, options: WriteOptions): Promise<Kinds[K]> {
    const query = this.writeQuery(options);
    return this.call({ method: "PATCH", path, query, body, contentType: MERGE }, options.signal);
  }

  private call<T>(asked: Asked, signal: AbortSignal | undefined): Promise<T> {
    return this.transport.call<T>(signal === undefined ? asked : { ...asked, signal });
  }

  private writeQuery({ dryRun = false }: WriteOptions): NonNullable<Asked["query"]> {
    const { fieldManager } = this.transport;
    return { fieldManager, fieldValidation: "Strict", dryRun: dryRun ? "All" : undefined };
  }

  private whole(object: Applied<K> | Written<K>): KindObject<K> {
    return { apiVersion: API_VERSION, kind: this.kind, ...object };
  }

  private path(name: string, { namespace }: Where): string {
    if (name === "") throw new BerthError(`Found an empty name, expected that of a ${this.kind}.`);
    return `${this.collection(namespace, "needed")}/${encodeURIComponent(name)}`;
  }

  private collection(namespace = this.ownNamespace, isNeeded?: "needed"): string {
    const { plural, isNamespaced } = RESOURCES[this.kind];
    const root = `/apis/${API_VERSION}`;
    if (!isNamespaced) return `${root}/${plural}`;
    if (namespace !== undefined) {
      return `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
    }
    if (isNeeded === undefined) return `${root}/${plural}`;
    throw new BerthError(`A ${this.kind} belongs to a tenant: pass its name as namespace.`);
  }
}
