/**
 * A backup of the plane's log while it runs, as the bytes of the file. It holds everything, with
 * the environments of all workloads, so it is for people only: neither an agent nor a controller
 * has any use for it.
 */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { VERSION } from "../../shell/version.ts";
import { encodeBackup } from "../../host/backup/encode-backup.ts";
import { ApiError } from "../errors.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { asks, power } from "../access/route-rule.ts";

export const BACKUP_PATH = "/backup";

export function addBackupRoutes(
  app: FastifyInstance,
  { plane, clock, log, limits }: ApiContext,
): void {
  let underWay = 0;
  app.get(BACKUP_PATH, asks(power("backup", "backups")), (request, reply) => {
    const { kind, name } = callerOf(request);
    if (kind !== "user" && kind !== "local") {
      throw new ApiError(
        "not-allowed",
        `Only users may request a backup; ${name} is of the kind ${kind}.`,
      );
    }
    if (underWay >= limits.backups) {
      const sent = `The server already sends ${underWay} backups.`;
      throw new ApiError("too-many-requests", sent, { retryAfterSeconds: 5 });
    }
    const parts = plane.past.copy();
    if (parts === undefined) {
      throw new ApiError(
        "bad-request",
        "This plane keeps its log in memory: there is nothing to back up.",
      );
    }
    log.info({ name, kind }, "Backup requested.");
    const store = plane.isShared ? "etcd" : "sqlite";
    const origin = { madeAt: rfc3339Millis(clock.nowMs()), by: VERSION, store };
    const bytes = Readable.from(encodeBackup(parts, origin), { objectMode: false });
    underWay += 1;
    // Read to the end, or broken off: by the reader's end, too.
    bytes.once("close", () => {
      underWay -= 1;
    });
    // What breaks it off cuts the connection: a backup without its end is none.
    return reply
      .header("Content-Type", "application/octet-stream")
      .header("Cache-Control", "no-store")
      .send(bytes);
  });
}
