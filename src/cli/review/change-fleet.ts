/**
 * A fleet after a change of manifests: the authority checks each as it would check the real one,
 * and then the plane's own controllers settle the twin.
 */
import { apply } from "../../core/commit/apply.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import { APPLIED_LAST } from "../../core/kinds/kind-definition.ts";
import { writtenDefinitionOf } from "../../core/kinds/kind-definitions.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { allOf, type Fleet } from "../../fleet/fleet.ts";
import { UserError } from "../../shell/errors.ts";
import { putIntents } from "../../twin/put-intents.ts";
import { settleFleet } from "../../twin/settle-fleet.ts";
import { EVERY_KIND, type ReadObject, readObjects } from "./read-objects.ts";

export async function changeFleet(fleet: Fleet, paths: readonly string[]): Promise<Fleet> {
  const changes = await readObjects(paths, EVERY_KIND, () => {});
  const ordered = changes.toSorted((a, b) => stepOf(a) - stepOf(b));
  const ledger = new Ledger();
  const revision = Math.max(1, ...fleet.objects.map(({ meta }) => meta.revision));
  const atMs = Math.max(0, ...fleet.objects.map(({ meta }) => meta.createdMs));
  const { objects } = fleet;
  ledger.restore({ revision, epoch: 1, leadSinceMs: 0, objects, operations: [] });
  let sent = 0;
  for (const { object } of ordered) {
    for (const { intent, as } of putIntents(object, ledger.objects, sent)) {
      sent += 1;
      const actor = { role: "user", name: as } as const;
      const command = { intent, epoch: 1, basis: ledger.revision, actor };
      const { outcome, commit } = apply(ledger, command, atMs);
      if (commit !== undefined) ledger.fold(commit);
      if (!("code" in outcome)) continue;
      const { code, field, expected, actual } = outcome;
      const text = `The fleet rejects ${field}: expected ${expected}, found ${actual} (${code}).`;
      throw new UserError(
        "invalid-file",
        `${text} Change the manifest, or leave it out of --with.`,
      );
    }
  }
  const joined = allOf(ledger.objects).map((object) => asJoined(object, atMs));
  return settleFleet({ source: `${fleet.source}, changed`, objects: joined });
}

const stepOf = ({ object }: ReadObject): number =>
  writtenDefinitionOf(object.kind)?.applyStep ?? APPLIED_LAST;

/** A node of the change is a machine that has joined: whether it will is not the question. */
const asJoined = (object: AnyObject, atMs: number): AnyObject =>
  object.kind !== "Node" || object.status.session > 0
    ? object
    : {
        ...object,
        status: { ...object.status, health: "ready", healthSinceMs: atMs, session: 1 },
      };
