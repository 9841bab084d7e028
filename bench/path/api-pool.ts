/** Several connections to one plane; a request takes the first free one. */
import { setTimeout as sleep } from "node:timers/promises";
import { API_VERSION } from "../../src/api/group-version.ts";
import { kindByName } from "../../src/api/kinds/all-kinds.ts";
import type { Manifest } from "../measure/manifests.ts";
import { type Answer, Connection } from "./connection.ts";

const TOO_MANY = 429;
/** The Retry-After of a plane. */
const COME_BACK_MS = 1_000;

/** The plane refused; the message is its own. */
export class Refused extends Error {
  override readonly name = "Refused";
}

export class ApiPool {
  private readonly server: URL;
  /** The headers that every request has. */
  private readonly head: string;
  private readonly free: Connection[];
  private readonly waiting: ((connection: Connection) => void)[] = [];
  private isClosed = false;

  private constructor(server: URL, connections: readonly Connection[], token: string | undefined) {
    this.server = server;
    const known = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    this.head = `Host: ${server.host}\r\n${known}`;
    this.free = [...connections];
  }

  static async open(url: string, connections: number, token?: string): Promise<ApiPool> {
    const server = new URL(url);
    const opening = Array.from({ length: connections }, () => Connection.open(server));
    return new ApiPool(server, await Promise.all(opening), token);
  }

  /** Opens one more connection. */
  async grow(): Promise<void> {
    this.giveBack(await Connection.open(this.server));
  }

  /** Connections in use end with their answer. */
  close(): void {
    this.isClosed = true;
    for (const connection of this.free) connection.close();
  }

  async get(path: string): Promise<unknown> {
    const request = `GET ${path} HTTP/1.1\r\n${this.head}Accept: application/json\r\n\r\n`;
    return JSON.parse(good(await this.send(request)).body.toString());
  }

  /** Creates an object; a field that the plane does not know is an error, not a warning. */
  async create(manifest: Manifest, { dryRun = false } = {}): Promise<void> {
    await this.post(createPath(manifest, dryRun), JSON.stringify(manifest));
  }

  /** `header`: one more line, with its end. */
  async post(path: string, body: string, header = ""): Promise<Answer> {
    const length = Buffer.byteLength(body);
    const request = `POST ${path} HTTP/1.1\r\n${this.head}Content-Type: application/json\r\n${header}Content-Length: ${length}\r\n\r\n${body}`;
    return good(await this.send(request));
  }

  async remove(manifest: Manifest): Promise<void> {
    const path = `${collectionOf(manifest)}/${manifest.metadata.name}`;
    good(await this.send(`DELETE ${path} HTTP/1.1\r\n${this.head}\r\n`));
  }

  /** A rejected request is repeated after its Retry-After. */
  private async send(request: string): Promise<Answer> {
    for (;;) {
      const answer = await this.sendOnce(request);
      if (answer.status !== TOO_MANY) return answer;
      await sleep(COME_BACK_MS);
    }
  }

  /**
   * Takes the connection that was idle longest, so that none is idle for so long that the plane
   * closes it.
   */
  private async sendOnce(request: string): Promise<Answer> {
    let connection = this.free.shift() ?? (await this.nextFree());
    try {
      if (connection.isClosed) connection = await Connection.open(this.server);
      return await connection.send(request);
    } finally {
      this.giveBack(connection);
    }
  }

  private giveBack(connection: Connection): void {
    const next = this.waiting.shift();
    if (next !== undefined) next(connection);
    else if (this.isClosed) connection.close();
    else this.free.push(connection);
  }

  private nextFree(): Promise<Connection> {
    return new Promise((resolve) => void this.waiting.push(resolve));
  }
}

export const createPath = (manifest: Manifest, dryRun = false): string =>
  `${collectionOf(manifest)}?fieldValidation=Strict${dryRun ? "&dryRun=All" : ""}`;

function collectionOf({ kind, metadata: { namespace } }: Manifest): string {
  const plural = kindByName(kind)?.plural ?? kind.toLowerCase();
  const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `/apis/${API_VERSION}${within}/${plural}`;
}

function good(answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new Refused(sentenceOf(answer));
}

function sentenceOf({ status, body }: Answer): string {
  const text = body.toString();
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // Not JSON: its beginning says most.
  }
  return `HTTP ${status}: ${text.slice(0, 200)}`;
}
