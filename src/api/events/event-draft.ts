/** Something worth telling a person about one object, before it is counted and given a name. */
import type { AnyObject } from "../../core/model/objects.ts";
import type { FactEvent } from "../narrate/fact.ts";

export interface About {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Of an event that a client wrote; left out: Berth's. */
  readonly apiVersion?: string;
}

export interface EventDraft extends FactEvent {
  readonly about: About;
  readonly atMs: number;
  /** Who did it, or noticed it. */
  readonly source: string;
}

export const aboutObject = ({ kind, meta }: AnyObject): About => ({
  kind,
  namespace: meta.namespace,
  name: meta.name,
  uid: meta.uid,
});
