/** A registry on 127.0.0.1 that serves what a test puts into it, as any registry does: manifests and blobs by digest. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const OCI = "application/vnd.oci.image";

export class ARegistry {
  /** By digest. */
  readonly content = new Map<string, Buffer>();
  /** "user:password"; left out: nobody has to say who they are. */
  login: string | undefined;
  /** Digests of blobs that never end. */
  readonly endless = new Set<string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((asked, answer) => this.answer(asked, answer));
  }

  static async begin(): Promise<ARegistry> {
    const registry = new ARegistry();
    await new Promise<void>((up) => registry.server.listen(0, "127.0.0.1", up));
    return registry;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What makes skopeo speak plain HTTP to it, as its operator would have it for a registry of a lab. */
  writeTrust(file: string): void {
    writeFileSync(file, `[[registry]]\nlocation = "${this.host}"\ninsecure = true\n`);
  }

  writeLogin(file: string, login: string): void {
    const auth = Buffer.from(login).toString("base64");
    writeFileSync(file, JSON.stringify({ auths: { [this.host]: { auth } } }));
  }

  /** All blobs of a layout. */
  addLayout(folder: string): void {
    const blobs = join(folder, "blobs", "sha256");
    for (const name of readdirSync(blobs))
      this.content.set(`sha256:${name}`, readFileSync(join(blobs, name)));
  }

  add(bytes: Buffer): string {
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    this.content.set(digest, bytes);
    return digest;
  }

  private answer(asked: IncomingMessage, answer: ServerResponse): void {
    const sent = Buffer.from((asked.headers.authorization ?? "").slice("Basic ".length), "base64");
    if (this.login !== undefined && sent.toString() !== this.login) {
      answer.writeHead(401, { "www-authenticate": 'Basic realm="here"' }).end();
      return;
    }
    if (asked.url === "/v2/") {
      answer.end("{}");
      return;
    }
    const [, kind, digest = ""] =
      /\/(manifests|blobs)\/(sha256:[0-9a-f]{64})$/.exec(asked.url!) ?? [];
    if (this.endless.has(digest)) {
      const part = Buffer.alloc(65_536);
      const more = (): void => {
        if (answer.destroyed) return;
        if (answer.write(part)) setImmediate(more);
        else answer.once("drain", more);
      };
      more();
      return;
    }
    const bytes = this.content.get(digest);
    if (bytes === undefined) {
      answer.writeHead(404).end();
      return;
    }
    answer.setHeader("content-length", bytes.length);
    answer.setHeader("content-type", kind === "blobs" ? "application/octet-stream" : typeOf(bytes));
    answer.end(asked.method === "HEAD" ? undefined : bytes);
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

function typeOf(manifest: Buffer): string {
  const { mediaType, manifests } = JSON.parse(manifest.toString()) as {
    readonly mediaType?: string;
    readonly manifests?: unknown;
  };
  return (
    mediaType ?? (manifests === undefined ? `${OCI}.manifest.v1+json` : `${OCI}.index.v1+json`)
  );
}
