/**
 * Fleets from all that holds one: a world file, a backup, a store without its plane, and a running
 * plane. Each is of one moment, and none has values of environments.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { allOf, type Fleet } from "../../fleet/fleet.ts";
import { withoutSecrets } from "../../fleet/without-secrets.ts";
import { KeptFold } from "../../host/check/kept-fold.ts";
import { explaining } from "../../host/store/etcd/etcd-log-errors.ts";
import { readWorldFile } from "../../scenario/world-file.ts";
import { explainingLog } from "../../serve/open-store.ts";
import { UserError } from "../../shell/errors.ts";
import { fleetOfWorld } from "../../twin/fleet-of-world.ts";
import { readBackup } from "../backup/read-backup.ts";
import { keptIn, storePlace, type StoreOptions } from "../backup/store-place.ts";
import { writeBackup } from "../backup/write-backup.ts";
import type { ApiClient } from "../client/api-client.ts";

/** What the world comes to when everything is placed and nothing fails. */
export function fleetOfWorldFile(file: string): Fleet {
  const { objects } = fleetOfWorld(readWorldFile(file));
  return withoutSecrets({ source: `world ${file}`, objects });
}

export async function fleetOfBackup(file: string): Promise<Fleet> {
  const { fold, bounds } = await readBackup(file);
  return fleetFrom(fold, `backup ${file} at revision ${bounds.end}`, file);
}

/** As the log says at its end; no plane may have it open. */
export async function fleetOfStore(options: StoreOptions): Promise<Fleet> {
  const place = storePlace(options);
  const fold = new KeptFold([], { isQuick: true });
  await explainingLog(() =>
    explaining("read the log", async () => {
      for await (const part of keptIn(place)) fold.add(part);
    }),
  );
  fold.finish();
  return fleetFrom(fold, `store ${place.shown}`, place.shown);
}

/** Of one revision: the plane sends a backup, which is deleted as soon as it is read. */
export async function fleetOfPlane(client: ApiClient): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "berth-fleet-"));
  try {
    const file = join(folder, "plane.backup");
    const bytes = client.bytes("/backup", new AbortController().signal);
    const { fold, bounds } = await writeBackup(file, bytes, () => undefined);
    return fleetFrom(fold, `running plane at revision ${bounds.end}`, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function fleetFrom({ ledger }: KeptFold, source: string, file: string): Fleet {
  if (ledger === undefined) {
    throw new UserError(
      "log-damaged",
      "Its commits cannot be put together. `berth store check` lists every fault.",
      { file },
    );
  }
  const objects: ObjectIndex = ledger.objects;
  return withoutSecrets({ source, objects: allOf(objects) });
}
