/**
 * Long answers compressed for clients that accept it: lists and schemas of a large fleet shrink to
 * a tenth. Streams are not: a reader would wait for an event until the next ones fill a block.
 */
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** As in Kubernetes: below it, time is lost; and the first level is by far the fastest. */
const GZIP_LEAST = 128 * 1024;
const LEVEL = { level: 1 } as const;
const TEXT = /^(?:application\/(?:json|yaml)|text\/)/;

const compress = promisify<Buffer | string, typeof LEVEL, Buffer>(gzip);

export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .map((part) => part.split(";").map((text) => text.trim().toLowerCase()))
    .some(([name, quality = ""]) => name === "gzip" && !/^q=0(?:\.0*)?$/.test(quality));
}

export function addGzipAnswers(app: FastifyInstance): void {
  // Most answers are short: they need no promise here.
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isLong(payload) && !reply.hasHeader("content-encoding")) {
      return asAccepted(request, reply, payload);
    }
    done(null, payload);
    return undefined;
  });
}

const isLong = (payload: unknown): payload is Buffer | string =>
  (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length >= GZIP_LEAST;

async function asAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Buffer | string,
): Promise<Buffer | string> {
  if (!TEXT.test(String(reply.getHeader("content-type")))) return payload;
  void reply.header("Vary", "Accept, Accept-Encoding");
  if (!acceptsGzip(request.headers["accept-encoding"])) return payload;
  void reply.header("Content-Encoding", "gzip");
  return compress(payload, LEVEL);
}

/** An answer that is made and sent part by part. */
export class GzipParts {
  private readonly gzip = createGzip(LEVEL);
  private ready: Buffer[] = [];

  constructor() {
    this.gzip.on("data", (bytes: Buffer) => this.ready.push(bytes));
  }

  /** What there is to be sent after this part: little or nothing, until a block is full. */
  add(part: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.gzip.write(part, (error) => (error ? reject(error) : resolve(this.taken())));
    });
  }

  end(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.gzip.once("error", reject);
      this.gzip.once("end", () => resolve(this.taken()));
      this.gzip.end();
    });
  }

  private taken(): Buffer {
    const bytes = Buffer.concat(this.ready);
    this.ready = [];
    return bytes;
  }
}
