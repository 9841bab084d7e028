/**
 * Decides for the API what a caller may do. What roles say is `AccessRules` of core; what an agent
 * or a controller may say in a command is `check-sender.ts`. Lists and views ask the same decision
 * for every object, so answers are kept for each caller until a role or a binding changes.
 */
import type { AccessDecision, AccessRequest, Subject } from "../../core/model/access.ts";
import type { Kind } from "../../core/model/ids.ts";
import type { AccessRules } from "../../core/rules/access/access-rules.ts";
import type { Caller } from "../http/caller.ts";
import { forbidden } from "./forbidden.ts";
import { resourceOf } from "../../core/access/resource-of.ts";
import { Sight } from "./sight.ts";
import { subjectOf } from "./subject-of.ts";

type Allowed = AccessDecision & { readonly isAllowed: true };

export interface AuthorizerOptions {
  /** A plane that has loaded its log again has others. */
  readonly rules: () => AccessRules;
  readonly nowMs: () => number;
  /** Hears of every request that is refused. */
  readonly onRefused: (caller: Caller, request: AccessRequest) => void;
  /** Hears of every request that roles have allowed; left out: none is remembered. */
  readonly onAllowed?: (caller: Caller, request: AccessRequest) => void;
}

/** Of objects, as their keys name them. */
export interface Seen {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A binding may expire without a change of the log: this long at most it still counts in lists and
 * watches (AZ43). A single request asks anew.
 */
export const KEPT_MS = 1_000;
/** Callers whose answers are kept: more than work with one plane within a second. */
const CALLERS_KEPT = 1_000;
/** A caller asks about as many namespaces and resources as there are, not about names. */
const ANSWERS_KEPT = 10_000;

interface Kept {
  readonly version: number;
  readonly rules: AccessRules;
  readonly sinceMs: number;
  readonly answers: Map<string, boolean>;
}

export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  decide(caller: Caller, request: AccessRequest): AccessDecision {
    const { rules, nowMs } = this.#options;
    return rules().decide(subjectOf(caller), request, nowMs());
  }

  /** Throws what Kubernetes answers to a request that no role allows. */
  require(caller: Caller, request: AccessRequest): Allowed {
    const decision = this.decide(caller, request);
    if (decision.isAllowed) {
      this.#options.onAllowed?.(caller, request);
      return decision;
    }
    this.#options.onRefused(caller, request);
    throw forbidden(subjectOf(caller), request);
  }

  sightOf(caller: Caller): Sight {
    return new Sight(this, caller);
  }

  /** Whether a list of its kind would show it to the caller, or a look at it alone. */
  canSee(caller: Caller, { kind, namespace, name }: Seen): boolean {
    const answers = this.#answersOf(caller);
    const { group, resource } = resourceOf(kind);
    const of = { group, resource, ...(namespace === "" ? {} : { namespace }) };
    const listed = this.#keep(answers, caller, `${resource}/${namespace}`, { verb: "list", ...of });
    if (listed) return true;
    // Roles may name single objects, and few do: kept, their names would fill the memory.
    return this.decide(caller, { verb: "get", ...of, name }).isAllowed;
  }

  /** All objects of the kind in the namespace. */
  canList(caller: Caller, kind: Kind, namespace: string): boolean {
    const { group, resource } = resourceOf(kind);
    const asked = { verb: "list", group, resource, namespace } as const;
    return this.#keep(this.#answersOf(caller), caller, `${resource}/${namespace}`, asked);
  }

  /** The same for all objects of a kind, whatever they are called and wherever they are. */
  canSeeAll(caller: Caller, kind: Kind): boolean {
    const of = resourceOf(kind);
    const asked = { verb: "list", ...of } as const;
    return this.#keep(this.#answersOf(caller), caller, `${of.resource}/*`, asked);
  }

  /** Values of environment variables, of all replicas of a namespace (AZ49). */
  canSeeValues(caller: Caller, namespace: string): boolean {
    const asked = { verb: "env", ...resourceOf("Replica"), namespace } as const;
    return this.#keep(this.#answersOf(caller), caller, `env/${namespace}`, asked);
  }

  #keep(
    answers: Map<string, boolean>,
    caller: Caller,
    key: string,
    request: AccessRequest,
  ): boolean {
    const held = answers.get(key);
    if (held !== undefined) return held;
    const { isAllowed } = this.decide(caller, request);
    if (answers.size < ANSWERS_KEPT) answers.set(key, isAllowed);
    return isAllowed;
  }

  #answersOf(caller: Caller): Map<string, boolean> {
    const rules = this.#options.rules();
    const version = rules.changes;
    const nowMs = this.#options.nowMs();
    const key = keyOf(subjectOf(caller), caller);
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.version === version && kept.rules === rules) {
      const ageMs = nowMs - kept.sinceMs;
      if (ageMs >= 0 && ageMs < KEPT_MS) return kept.answers;
    }
    const answers = new Map<string, boolean>();
    this.#kept.delete(key);
    this.#kept.set(key, { version, rules, sinceMs: nowMs, answers });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > CALLERS_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return answers;
  }
}

/** Names may hold any character: as JSON two different callers never have one key. */
const keyOf = ({ user, groups }: Subject, { kind }: Caller): string =>
  JSON.stringify([kind, user, ...groups]);
