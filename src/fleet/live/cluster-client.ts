/**
 * Reads a cluster's API with GET alone: one request after the other, never more often than allowed,
 * and again after a pause when the server is busy. ADR 31 says why it is no library.
 */
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../shell/errors.ts";
import { isPassingStatus, retryAfterMs, retryPauseMs } from "../../shell/retry-pause.ts";
import { LIVE_IMPORT_LIMITS } from "./live-limits.ts";
import type { ClusterAccess } from "./read-kubeconfig.ts";

export interface ClusterAnswer {
  readonly status: number;
  readonly body: string;
}

interface RawAnswer extends ClusterAnswer {
  readonly askedMs: number;
}

export class ClusterClient {
  private readonly access: ClusterAccess;
  private readonly agent: HttpAgent | HttpsAgent;
  private nextMs = 0;
  requests = 0;

  constructor(access: ClusterAccess) {
    this.access = access;
    this.agent = access.server.startsWith("https:")
      ? new HttpsAgent({ keepAlive: true, maxSockets: 1 })
      : new HttpAgent({ keepAlive: true, maxSockets: 1 });
  }

  async get(path: string): Promise<ClusterAnswer> {
    const { attempts } = LIVE_IMPORT_LIMITS;
    for (let failures = 0; ; failures += 1) {
      await this.takeTurn();
      const answer = await this.send(path).catch((error: unknown) => asError(error));
      if (!(answer instanceof Error) && !isPassingStatus(answer.status)) return answer;
      if (failures + 1 >= attempts.value || answer instanceof FinalError) {
        throw this.unreachable(
          answer instanceof Error ? answer.message : `status ${answer.status}`,
        );
      }
      await sleep(retryPauseMs(failures, answer instanceof Error ? 0 : answer.askedMs));
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async takeTurn(): Promise<void> {
    const periodMs = 1_000 / LIVE_IMPORT_LIMITS.requestsPerSecond.value;
    const nowMs = performance.now();
    const waitMs = Math.max(0, this.nextMs - nowMs);
    this.nextMs = nowMs + waitMs + periodMs;
    this.requests += 1;
    if (waitMs > 0) await sleep(waitMs);
  }

  private send(path: string): Promise<RawAnswer> {
    const { server, ca, clientCert, clientKey, serverName, isUnverified, authorization } =
      this.access;
    const isSecure = server.startsWith("https:");
    const options = {
      method: "GET",
      agent: this.agent,
      headers: {
        accept: "application/json",
        "user-agent": "berth-import",
        ...(authorization === undefined ? {} : { authorization }),
      },
      timeout: LIVE_IMPORT_LIMITS.answerMs.value,
    };
    const secure = {
      ...options,
      ca,
      cert: clientCert,
      key: clientKey,
      rejectUnauthorized: !isUnverified,
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    return new Promise((take, fail) => {
      const url = new URL(`${server}${path}`);
      const request = isSecure ? httpsRequest(url, secure) : httpRequest(url, options);
      request.on("timeout", () => request.destroy(new Error("no answer in time")));
      request.on("error", fail);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes <= LIVE_IMPORT_LIMITS.answerBytes.value) return;
          request.destroy(new FinalError("an answer is larger than an import takes"));
        });
        response.on("error", fail);
        response.on("end", () => {
          take({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString("utf8"),
            askedMs: retryAfterMs(response.headers["retry-after"]),
          });
        });
      });
      request.end();
    });
  }

  private unreachable(why: string): UserError {
    return new UserError(
      "plane-unreachable",
      `The API of the cluster at ${this.access.server} (context ${this.access.context}): ${why}.`,
    );
  }
}

/** Asking again would give the same. */
class FinalError extends Error {}

const FINAL_CODES: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function asError(error: unknown): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof FinalError) return error;
  return FINAL_CODES.has(code)
    ? new FinalError(`${message} (${code})`)
    : new Error(message || code);
}
