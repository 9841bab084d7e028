/**
 * Reads a JSON document from an issuer's address, or sends it a form: over TLS, with a bound on
 * time and size, and without following redirects, which could lead to an address inside the plane's
 * own network.
 */
import { request } from "node:https";
import { rootCertificates } from "node:tls";

export interface FetchJson {
  readonly url: URL;
  /** PEM; trusted instead of what the machine trusts. */
  readonly ca?: string | undefined;
  readonly withinMs: number;
  readonly mostBytes: number;
  /** Sent as a form. An issuer then explains a status of 400 in its document. */
  readonly form?: Readonly<Record<string, string>>;
}

const HEADERS = { accept: "application/json", "user-agent": "berth" } as const;
const FORM = { "content-type": "application/x-www-form-urlencoded" } as const;

export function fetchJson({ url, ca, withinMs, mostBytes, form }: FetchJson): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${url.href}: ${why}`));
    const sent = request(url, {
      method: form === undefined ? "GET" : "POST",
      headers: { ...HEADERS, ...(form === undefined ? {} : FORM) },
      ca: ca === undefined ? [...rootCertificates] : ca,
      agent: false,
      signal: AbortSignal.timeout(withinMs),
    });
    sent.once("error", (error) =>
      fail(error.name === "AbortError" ? `no answer in ${withinMs} ms` : error.message),
    );
    sent.once("response", (response) => {
      response.once("error", (error) => fail(error.message));
      const { statusCode } = response;
      if (statusCode !== 200 && (form === undefined || statusCode !== 400)) {
        fail(`status ${statusCode}, expected 200`);
        sent.destroy();
        return;
      }
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size <= mostBytes) return;
        fail(`the answer has more than ${mostBytes} bytes`);
        sent.destroy();
      });
      response.once("end", () => {
        try {
          resolve(JSON.parse(Buffer.concat(parts).toString("utf8")));
        } catch {
          fail("the answer is not JSON");
        }
      });
    });
    sent.end(form === undefined ? undefined : new URLSearchParams(form).toString());
  });
}
