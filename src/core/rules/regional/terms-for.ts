/**
 * What the global plane answers a region, read from what is durable in its log: only questions that
 * it has taken in are answered, so a term is never longer there than it is counted here.
 */
import { regionKey, type Revision } from "../../model/ids.ts";
import { REGION_MOST } from "../../model/limits/region-limits.ts";
import type { Grant, ObjectOf } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { Desired } from "../../protocol/command.ts";
import type {
  LentGrant,
  RegionReport,
  RegionTerms,
  SharedObject,
} from "../../protocol/region-exchange.ts";
import { digestOf, type SharedKind, sharedNames, sharedObjects } from "./shared-objects.ts";
import { globalOf } from "./term.ts";

/** Undefined: nothing of this incarnation of the region was taken in. */
export function termsFor(
  objects: ObjectIndex,
  report: RegionReport,
  { revision }: { readonly revision: Revision },
): RegionTerms | undefined {
  const own = globalOf(objects.plane);
  const { region, incarnation } = report;
  const heard = objects.all("Region").get(regionKey(region))?.status.heard;
  if (own === undefined || heard?.incarnation !== incarnation || heard.gone === true) {
    return undefined;
  }
  return {
    global: own.incarnation,
    region,
    incarnation,
    heard: { epoch: heard.epoch, revision: heard.revision },
    asked: heard.asked,
    termMs: heard.termMs,
    grants: lentTo(objects, region, incarnation),
    // Positions in the log of another incarnation of this plane say nothing about this log.
    ...changesFor(objects, report, {
      from: report.global === own.incarnation ? report.objectsTo : 0,
      to: revision,
    }),
  };
}

function lentTo(objects: ObjectIndex, region: string, incarnation: number): readonly LentGrant[] {
  const lent: LentGrant[] = [];
  for (const grant of objects.all("Grant").values()) {
    if (grant.spec.region !== region || grant.spec.incarnation !== incarnation) continue;
    const newest = grant.status.pending?.at(-1);
    if (newest !== undefined) lent.push({ ...newest, ...termsOf(objects, grant) });
  }
  return lent
    .toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1))
    .slice(0, REGION_MOST.grantsPerExchange);
}

function termsOf(objects: ObjectIndex, { meta }: Grant): Pick<LentGrant, "tenant" | "quota"> {
  const { weight, shrink, counts } = objects.quotaUsage.of(meta.namespace).spec ?? {};
  return {
    tenant: meta.namespace,
    quota: {
      ...(weight === undefined ? {} : { weight }),
      ...(shrink === undefined ? {} : { shrink }),
      ...(counts === undefined ? {} : { counts }),
    },
  };
}

type Changes = Pick<RegionTerms, "objects" | "objectsFrom" | "objectsTo" | "names">;

function changesFor(
  objects: ObjectIndex,
  { region, objectsDigest }: RegionReport,
  { from, to }: { readonly from: Revision; readonly to: Revision },
): Changes {
  const newer = [...sharedObjects(objects, region)]
    .filter(({ meta }) => meta.revision > from)
    .toSorted((a, b) => a.meta.revision - b.meta.revision);
  const last = newer[REGION_MOST.objectsPerExchange - 1]?.meta.revision ?? to;
  const sent = newer.filter(({ meta }) => meta.revision <= last);
  const all = { objects: sent.map(shared), objectsFrom: from, objectsTo: last };
  // Before the region has everything new its names differ anyway. Its own object has changed with
  // every report.
  if (newer.some(({ kind }) => kind !== "Region") || from === 0) return all;
  const names = [...sharedNames(objects, region)];
  return digestOf(names) === objectsDigest ? all : { ...all, names };
}

function shared({ key, kind, meta, spec, status }: ObjectOf<SharedKind>): SharedObject {
  const desired = { kind, spec } as Desired;
  const isRead = kind === "Policy" || kind === "PolicyRevision";
  return { key, desired, labels: meta.labels, ...(isRead ? { status } : {}) };
}
