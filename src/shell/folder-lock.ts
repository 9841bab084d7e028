/**
 * One agent per folder, and one plane. The lock is a socket in the kernel's own name space: it is
 * taken at once or not at all, and it is gone with the process that held it, however that ends.
 */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { CannotRunError } from "./cannot-run-error.ts";

/** Held until the process ends or `close` is called. */
export function lockFolder(folder: string, whose: "agent" | "plane"): Promise<Server> {
  const digest = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 32);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new CannotRunError(`Another ${whose} is already using ${folder}.`) : error);
    });
    server.listen(`\0berth-${whose}-${digest}`, () => resolve(server.unref()));
  });
}
