/** A watch over a real socket, read line by line. */
import { get, type IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { listen } from "../../src/api/http/listen.ts";
import { type AnyJson, textAt } from "./an-api.ts";

export interface AWatch {
  readonly status: number;
  readonly contentType: string;
  /** The next line, or "end" once the server has closed the stream cleanly. */
  next(): Promise<AnyJson | "end">;
  /** The next `count` lines. */
  take(count: number): Promise<readonly AnyJson[]>;
  /** Every line until the end. */
  rest(): Promise<readonly AnyJson[]>;
  /** `ADDED api`, for lines whose object has a name. */
  story(count: number): Promise<readonly string[]>;
  close(): void;
}

const addresses = new WeakMap<FastifyInstance, Promise<string>>();

/** The server's address; it listens on a free port from the first call on. */
export function addressOf(app: FastifyInstance): Promise<string> {
  const address = addresses.get(app) ?? listen(app, { port: 0 });
  addresses.set(app, address);
  return address;
}

export const aWatch = async (
  app: FastifyInstance,
  path: string,
  headers: Record<string, string> = {},
): Promise<AWatch> => aWatchAt(await addressOf(app), path, headers);

export async function aWatchAt(
  address: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<AWatch> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address}${path}`, { headers, agent: false }, resolve).on("error", reject);
  });
  response.setEncoding("utf8");
  const lines = linesOf(response);
  const next = async (): Promise<AnyJson | "end"> => {
    const line = await lines.next();
    return line.done === true ? "end" : (JSON.parse(line.value) as AnyJson);
  };
  const take = async (count: number): Promise<readonly AnyJson[]> => {
    const taken: AnyJson[] = [];
    while (taken.length < count) {
      const line = await next();
      if (line === "end") throw new Error(`The watch ended after ${taken.length} lines.`);
      taken.push(line);
    }
    return taken;
  };
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    next,
    take,
    rest: async () => {
      const all: AnyJson[] = [];
      for (let line = await next(); line !== "end"; line = await next()) all.push(line);
      return all;
    },
    story: async (count) =>
      (await take(count)).map(
        (line) => `${textAt(line, "type")} ${textAt(line, "object", "metadata", "name")}`,
      ),
    close: () => void response.destroy(),
  };
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of response) {
    const parts = `${rest}${String(chunk)}`.split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
