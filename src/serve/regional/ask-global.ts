/** Brings a region's report to the global plane, and its answer back. */
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import type { ExchangeAnswer } from "../../core/regional/region-link.ts";
import { readAnswer } from "./exchange-answer.ts";
import { type Credentials, HttpCaller } from "../../shell/http-caller.ts";

export interface GlobalAddress {
  /** Of one plane, or of several that share a log. */
  readonly urls: readonly URL[];
  readonly credentials: Credentials;
}

/** The answer that a person has to do something about is told in words. */
export interface AskGlobal {
  readonly exchange: (report: RegionReport, signal: AbortSignal) => Promise<ExchangeAnswer>;
  /** What the global plane last said where it did not take the report; undefined: it did. */
  readonly refusal: () => string | undefined;
  readonly close: () => void;
}

export function askGlobal({ urls, credentials }: GlobalAddress): AskGlobal {
  const caller = new HttpCaller(credentials);
  let at = 0;
  let refusal: string | undefined;
  const exchange = async (report: RegionReport, signal: AbortSignal): Promise<ExchangeAnswer> => {
    const server = urls[at % urls.length] as URL;
    try {
      const path = `/regions/${encodeURIComponent(report.region)}/exchange`;
      const answer = await caller.call({ server, method: "POST", path, body: report, signal });
      const said = answer.status === 200 ? readAnswer(answer.text) : undefined;
      if (said !== undefined) {
        refusal = undefined;
        return said;
      }
      refusal =
        answer.status === 200
          ? `The reply of ${server.host} is not the answer of a global plane: check --global.`
          : (saidIn(answer.text) ?? `HTTP ${answer.status}`);
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
    }
    // Another plane of the same log may answer the next question.
    at += 1;
    return { kind: "unreachable" };
  };
  return { exchange, refusal: () => refusal, close: () => caller.close() };
}

function saidIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}
