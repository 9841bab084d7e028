/**
 * Makes the log of a plane that has been at work: past all rules, because asking the authority for
 * each of two hundred thousand objects would take longer than everything that is measured.
 */
import { randomUUID } from "node:crypto";
import { Ledger } from "../../../src/core/commit/ledger.ts";
import { takeSnapshot } from "../../../src/core/commit/snapshot.ts";
import { operationId, tenantKey } from "../../../src/core/model/ids.ts";
import type { AnyObject, Workload } from "../../../src/core/model/objects.ts";
import { SqliteLog } from "../../../src/host/store/sqlite-log.ts";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";

/** What the API notes of a workload that a client has created. */
const MANAGED_FIELDS =
  '[{"manager":"kubectl-create","operation":"Update","apiVersion":"berth.dev/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:resources":{"f:cpu":{},"f:memory":{}},"f:run":{"f:command":{}}}}}]';

const BATCH = 1_024;
const REPLICAS_A_WORKLOAD = 8;
const REPLICAS_A_NODE = 176;

export const namespaceOf = (at: number): string => `tenant-${at}`;

/** Workloads without replicas, in namespaces of the same size. */
export function* desiredObjects(of: {
  namespaces: number;
  workloads: number;
}): Generator<AnyObject> {
  for (let at = 0; at < of.namespaces; at += 1) yield tenant(namespaceOf(at));
  for (let at = 0; at < of.workloads; at += 1) {
    yield workload({ tenant: namespaceOf(at % of.namespaces), name: `app-${at}`, replicas: 0 });
  }
}

/** A fleet at work: every workload has its replicas, and every replica serves on a node. */
export function* runningFleet(of: { objects: number; namespaces: number }): Generator<AnyObject> {
  const { objects, namespaces } = of;
  const perNode = 2 / REPLICAS_A_NODE;
  const perReplica = 1 + 1 / REPLICAS_A_WORKLOAD + perNode;
  const replicas = Math.floor((objects - 2 * namespaces) / perReplica);
  const limit = { cpuMillis: 1e9, memoryMiB: 1e9 };
  for (let at = 0; at < namespaces; at += 1) {
    yield tenant(namespaceOf(at));
    yield aQuota(limit, namespaceOf(at));
  }
  let owner: Workload | undefined;
  for (let at = 0; at < replicas; at += 1) {
    const node = `node-${Math.floor(at / REPLICAS_A_NODE)}`;
    if (at % REPLICAS_A_NODE === 0) {
      yield aNode({ name: node, cpuMillis: 64_000, memoryMiB: 256_000 });
      yield aLease(node);
    }
    const number = Math.floor(at / REPLICAS_A_WORKLOAD);
    const index = at % REPLICAS_A_WORKLOAD;
    const named = { tenant: namespaceOf(number % namespaces), name: `app-${number}` };
    if (index === 0) {
      const wanted = Math.min(REPLICAS_A_WORKLOAD, replicas - at);
      // It has been noted of each that all of it served; a plane that finds it so writes it down at
      // its first look.
      const made = workload({ ...named, replicas: wanted });
      owner = { ...made, status: { ...made.status, served: true } };
      yield owner;
    }
    const replica = aReplica({
      tenant: named.tenant,
      workload: named.name,
      index,
      node,
      stage: "serving",
      address: { host: "10.0.0.1", ports: { http: 8080 } },
    });
    // Admitting gives a replica its workload's own template, so that all of them share one; the log
    // relies on it.
    const template = owner?.spec.template ?? replica.spec.template;
    yield { ...replica, spec: { ...replica.spec, template } };
  }
}

function tenant(name: string): AnyObject {
  const key = tenantKey(name);
  return { kind: "Tenant", key, meta: aMeta(key), spec: { displayName: name }, status: {} };
}

function workload(of: { tenant: string; name: string; replicas: number }): Workload {
  const made = aWorkload(of);
  return { ...made, meta: { ...made.meta, managedFields: MANAGED_FIELDS } };
}

/**
 * One commit an object, as they would have come in. The snapshot is taken `tail` commits before the
 * end, as a plane that stops somewhere between two snapshots leaves it.
 */
export async function growLog(
  file: string,
  objects: Iterable<AnyObject>,
  { count, tail }: { readonly count: number; readonly tail: number },
): Promise<number> {
  const log = await SqliteLog.open(file);
  const { epoch } = await log.claim();
  const ledger = new Ledger();
  let batch: ReturnType<typeof aCommit>[] = [];
  const append = async (): Promise<void> => {
    if (batch.length > 0) await log.append(epoch, batch);
    batch = [];
  };
  for (const object of objects) {
    const revision = ledger.revision + 1;
    const after = { ...object, meta: { ...object.meta, revision } } as AnyObject;
    const operation = operationId(`put/${object.key}/${randomUUID()}`);
    const commit = aCommit({ revision, epoch, put: [after], operation });
    ledger.fold(commit);
    batch.push(commit);
    if (batch.length === BATCH) await append();
    if (revision === count - tail) {
      await append();
      await log.compact(epoch, takeSnapshot(ledger));
    }
  }
  await append();
  await log.close();
  return ledger.revision;
}
