/** The objects that another one belongs to: it is deleted once none of them exists (OB10). */
import type { ObjectKey, Uid } from "./ids.ts";

export interface Owner {
  readonly key: ObjectKey;
  /** A later object of the same name is not the owner. */
  readonly uid: Uid;
  /** The one that manages the object. Kept for clients; no decision reads it. */
  readonly isController?: true;
  /** Kept for clients; dependents are always deleted in the background. */
  readonly blocksDeletion?: boolean;
}

/** As a put states it. Without a uid, the object that has the key is meant. */
export type StatedOwner = Omit<Owner, "uid"> & { readonly uid?: Uid };
