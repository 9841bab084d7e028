/**
 * What one caller sees of the plane's objects: lists, views and explanations leave out the rest. It
 * remembers what it answered, so that a stream can ask whether a later change of roles makes any of
 * it untrue.
 */
import { type Kind, KINDS, type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Caller } from "../http/caller.ts";
import type { Authorizer, Seen } from "./authorizer.ts";
import { hideOthers } from "../../core/access/hide-others.ts";

/** More questions than one answer has tenants and kinds; beyond it the rest is asked each time. */
const REMEMBERED = 10_000;

export class Sight {
  readonly #authorizer: Authorizer;
  readonly #caller: Caller;
  readonly #answered = new Map<string, readonly [of: Seen | Kind, answer: boolean]>();

  constructor(authorizer: Authorizer, caller: Caller) {
    this.#authorizer = authorizer;
    this.#caller = caller;
  }

  /** Nothing is hidden from it. */
  get isWhole(): boolean {
    return KINDS.every((kind) => this.seesAll(kind));
  }

  /** Of a kind that belongs to tenants, those of every tenant. */
  seesAll(kind: Kind): boolean {
    return this.#remember(kind, kind, () => this.#authorizer.canSeeAll(this.#caller, kind));
  }

  sees(of: Seen): boolean {
    const { kind, namespace, name } = of;
    if (this.seesAll(kind)) return true;
    const key = `${kind}/${namespace}/${name}`;
    return this.#remember(key, of, () => this.#authorizer.canSee(this.#caller, of));
  }

  seesKey(key: ObjectKey): boolean {
    const of = parseKey(key);
    // A key of the plane's own that is no object's names no tenant either.
    return !KNOWN.has(of.kind) || this.sees(of);
  }

  /** `replica/shop/api.1.0` or `node/n1`, as commands and entries name objects. */
  seesShown(text: string): boolean {
    const [word = "", ...rest] = text.split("/");
    const kind = KINDS.find((each) => each.toLowerCase() === word.toLowerCase());
    const [namespace = "", name = ""] = rest.length === 1 ? ["", rest[0]] : rest;
    return kind !== undefined && this.sees({ kind, namespace, name });
  }

  /** A sentence of the plane, without the names of work that the caller may not see. */
  text(text: string): string {
    if (this.seesAll("Workload") && this.seesAll("Replica")) return text;
    return hideOthers(text, {
      work: (namespace, name) => this.#seesWork(namespace, name),
      tenant: (name) => this.#seesTenant(name),
    });
  }

  /** Whether roles have changed so that an earlier answer would be another one now. */
  hasChanged(): boolean {
    for (const [of, before] of this.#answered.values()) {
      const now =
        typeof of === "string"
          ? this.#authorizer.canSeeAll(this.#caller, of)
          : this.#authorizer.canSee(this.#caller, of);
      if (now !== before) return true;
    }
    return false;
  }

  /** As one object, or by a right to anything of its work. */
  #seesTenant(namespace: string): boolean {
    return (
      this.sees({ kind: "Tenant", namespace: "", name: namespace }) ||
      this.sees({ kind: "Quota", namespace, name: "default" }) ||
      this.#seesWork(namespace, "")
    );
  }

  #seesWork(namespace: string, name: string): boolean {
    return (
      this.sees({ kind: "Workload", namespace, name }) ||
      this.sees({ kind: "Replica", namespace, name })
    );
  }

  #remember(key: string, of: Seen | Kind, ask: () => boolean): boolean {
    const held = this.#answered.get(key);
    if (held !== undefined) return held[1];
    const answer = ask();
    if (this.#answered.size < REMEMBERED) this.#answered.set(key, [of, answer]);
    return answer;
  }
}

const KNOWN: ReadonlySet<string> = new Set(KINDS);
