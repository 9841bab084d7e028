/** Where the etcd program is on this machine. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export class EtcdMissing extends Error {
  override readonly name = "EtcdMissing";

  constructor(path: string) {
    super(
      `Cannot find the program etcd in PATH (${path}). Install it (Debian: apt-get install etcd-server; ` +
        "others: a release of 3.4 or newer from github.com/etcd-io/etcd), or use an etcd that runs elsewhere.",
    );
  }
}

/** Throws EtcdMissing. */
export function findEtcd(path = process.env["PATH"] ?? ""): string {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, "etcd");
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // In the next folder, perhaps.
    }
  }
  throw new EtcdMissing(path);
}
