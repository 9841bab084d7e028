/**
 * Every version of a grant that the global plane ever made durable, also those that a restore has
 * made it forget: an answer with any of them may still be on its way.
 */
import type { Amounts } from "../../../core/model/amounts.ts";
import { grantKey } from "../../../core/model/ids.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { EstateTruth } from "./realm.ts";

export interface LentVersion {
  /** Of the global plane and of the region. */
  readonly lender: number;
  readonly incarnation: number;
  readonly version: number;
  readonly amounts: Amounts;
}

export class Lent {
  private readonly versions = new Map<string, LentVersion[]>();

  /** Returns the grants that changed, as tenant and region. */
  see({ changes }: Commit, lender: number): readonly (readonly [string, string])[] {
    const touched: (readonly [string, string])[] = [];
    for (const { before, after } of changes) {
      const grant = after ?? before;
      if (grant?.kind !== "Grant") continue;
      const { namespace: tenant } = grant.meta;
      const { region } = grant.spec;
      touched.push([tenant, region]);
      if (after?.kind !== "Grant") continue;
      const held = before?.kind === "Grant" ? (before.status.pending ?? []) : [];
      for (const { version, amounts } of after.status.pending ?? []) {
        if (held.some((known) => known.version === version)) continue;
        const { incarnation } = after.spec;
        this.of(tenant, region).push({ lender, incarnation, version, amounts });
      }
    }
    return touched;
  }

  /** A restored global plane goes on lending what its backup says that it lent. */
  seeAgain(objects: ObjectIndex, lender: number): void {
    for (const { meta, spec, status } of objects.all("Grant").values()) {
      const { incarnation, region } = spec;
      for (const { version, amounts } of status.pending ?? []) {
        this.of(meta.namespace, region).push({ lender, incarnation, version, amounts });
      }
    }
  }

  has(tenant: string, region: string, wanted: LentVersion): boolean {
    return this.of(tenant, region).some(
      ({ lender, incarnation, version, amounts }) =>
        lender === wanted.lender &&
        incarnation === wanted.incarnation &&
        version === wanted.version &&
        amounts.cpuMillis === wanted.amounts.cpuMillis &&
        amounts.memoryMiB === wanted.amounts.memoryMiB &&
        amounts.deviceMillis === wanted.amounts.deviceMillis,
    );
  }

  /** Those that the region would still take over if they came. */
  open(tenant: string, at: EstateTruth): readonly LentVersion[] {
    const { objects } = at.truth;
    const { status } = objects.plane ?? {};
    const obeyed = status?.role === "regional" ? (status.global ?? 0) : 0;
    const accepted = objects.all("Grant").get(grantKey(tenant, at.name))?.spec;
    const all = this.of(tenant, at.name);
    const open = all.filter(({ lender, incarnation, version }) => {
      if (incarnation !== at.incarnation || lender < obeyed) return false;
      return accepted?.incarnation !== incarnation || version > accepted.version;
    });
    // What is closed stays so: incarnations and versions only grow.
    if (open.length < all.length) this.versions.set(`${tenant}/${at.name}`, [...open]);
    return open;
  }

  private of(tenant: string, region: string): LentVersion[] {
    const name = `${tenant}/${region}`;
    let versions = this.versions.get(name);
    if (versions === undefined) this.versions.set(name, (versions = []));
    return versions;
  }
}
