/**
 * Requests to the plane that served the page. What it refuses is thrown as an ApiFailure with the
 * server's own message.
 */
import { refusedAs, token } from "../app/session.ts";
import { ApiFailure, type StatusText } from "./api-failure.ts";

export const BERTH = "/apis/berth.dev/v1";

export const MERGE_PATCH = "application/merge-patch+json";

export interface Sending {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export const getJson = async <T>(path: string, sending: Sending = {}): Promise<T> =>
  jsonOf<T>(await send("GET", path, undefined, sending));

export const postJson = async <T>(path: string, body: unknown, sending: Sending = {}): Promise<T> =>
  jsonOf<T>(await send("POST", path, body, sending));

export const putJson = async <T>(path: string, body: unknown, sending: Sending = {}): Promise<T> =>
  jsonOf<T>(await send("PUT", path, body, sending));

/** A merge patch unless the headers name another type. */
export const patchJson = async <T>(
  path: string,
  body: unknown,
  { signal, headers }: Sending = {},
): Promise<T> => {
  const typed = { "Content-Type": MERGE_PATCH, ...headers };
  return jsonOf<T>(
    await send("PATCH", path, body, {
      headers: typed,
      ...(signal === undefined ? {} : { signal }),
    }),
  );
};

export const deleteJson = async <T>(path: string, sending: Sending = {}): Promise<T> =>
  jsonOf<T>(await send("DELETE", path, undefined, sending));

/** The answer to a request that the plane took; its body is still to be read. */
export async function send(
  method: string,
  path: string,
  body: unknown,
  { signal, headers }: Sending = {},
): Promise<Response> {
  const response = await reach(path, {
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token.value === "" ? {} : { Authorization: `Bearer ${token.value}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const failure = new ApiFailure(response.status, await statusIn(response));
  if (failure.status === 401) refusedAs.value = failure.message;
  throw failure;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...request, cache: "no-store", redirect: "error" });
  } catch (error) {
    // Who stopped the request knows why, and is told nothing new.
    if (request.signal?.aborted === true) throw error;
    throw ApiFailure.unreachable(error);
  }
}

async function statusIn(response: Response): Promise<StatusText> {
  const text = await response.text();
  try {
    return JSON.parse(text) as StatusText;
  } catch {
    // A proxy in between may answer in a form of its own; the first words of it are better than
    // none.
    return { message: `${response.status} ${response.statusText}: ${text.slice(0, 200)}` };
  }
}

const jsonOf = async <T>(response: Response): Promise<T> => (await response.json()) as T;
