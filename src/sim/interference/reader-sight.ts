/**
 * What a reader with roles sees, as the API decides it: an object that it may list or get, and in
 * sentences no names of work or of tenants that it may not see.
 */
import { hideOthers } from "../../core/access/hide-others.ts";
import { resourceOf } from "../../core/access/resource-of.ts";
import type { Shown } from "../../core/access/without-others.ts";
import type { Subject } from "../../core/model/access.ts";
import { type Kind, type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { AccessRules } from "../../core/rules/access/access-rules.ts";

export class ReaderSight implements Shown {
  private readonly access: AccessRules;
  private readonly who: Subject;
  private readonly nowMs: number;
  /** Roles stay while one state is looked at. */
  private readonly answers = new Map<string, boolean>();

  constructor(access: AccessRules, who: Subject, nowMs: number) {
    this.access = access;
    this.who = who;
    this.nowMs = nowMs;
  }

  seesAll(kind: Kind): boolean {
    return this.keep(kind, () => this.may("list", kind));
  }

  sees(key: ObjectKey): boolean {
    const { kind, namespace, name } = parseKey(key);
    if (this.seesAll(kind)) return true;
    if (this.keep(`${kind}/${namespace}`, () => this.may("list", kind, namespace))) return true;
    return this.may("get", kind, namespace, name);
  }

  text(text: string): string {
    return hideOthers(text, {
      work: (namespace, name) => this.seesWork(namespace, name),
      tenant: (name) =>
        this.sees(`Tenant//${name}` as ObjectKey) ||
        this.sees(`Quota/${name}/default` as ObjectKey) ||
        this.seesWork(name, ""),
    });
  }

  private seesWork(namespace: string, name: string): boolean {
    return (
      this.sees(`Workload/${namespace}/${name}` as ObjectKey) ||
      this.sees(`Replica/${namespace}/${name}` as ObjectKey)
    );
  }

  private may(verb: "list" | "get", kind: Kind, namespace = "", name?: string): boolean {
    const place = namespace === "" ? {} : { namespace };
    const asked = { verb, ...resourceOf(kind), ...place, ...(name === undefined ? {} : { name }) };
    return this.access.decide(this.who, asked, this.nowMs).isAllowed;
  }

  private keep(key: string, ask: () => boolean): boolean {
    const held = this.answers.get(key);
    if (held !== undefined) return held;
    const answer = ask();
    this.answers.set(key, answer);
    return answer;
  }
}
