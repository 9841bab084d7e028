/**
 * Asks any of several planes over connections that are kept. Unlike `ApiPool` it takes answers that
 * one plane hands on from another, whose length is not told beforehand, and planes that are not
 * there.
 */
import { Agent, type IncomingMessage, request } from "node:http";

export interface Asked {
  readonly url: string;
  readonly path: string;
  /** Left out: it is a read. */
  readonly body?: string;
  readonly idempotencyKey?: string;
}

/** Longer than a plane keeps a write that waits for the next leader. */
const ANSWER_MS = 15_000;

export class PlaneCaller {
  private readonly agent = new Agent({ keepAlive: true });

  /** Rejects unless a plane has done it and said so to the end. */
  ask({ url, path, body, idempotencyKey }: Asked): Promise<string> {
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    };
    const method = body === undefined ? "GET" : "POST";
    const options = { method, agent: this.agent, headers, timeout: ANSWER_MS };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, options, (answer) => {
        textOf(answer).then(resolve, reject);
      });
      sent.once("timeout", () => sent.destroy(new Error(`${url} did not answer.`)));
      sent.once("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return text;
  throw new Error(`HTTP ${statusCode}: ${text.slice(0, 200)}`);
}
