/** Sends the requests of a case as their callers, and tells what came back. */
import { type ClientRequest, type IncomingMessage, request as ask } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type BodyPart, bodyBytes, type CallerName, type HostileRequest } from "./hostile-case.ts";

export interface Answer {
  readonly request: HostileRequest;
  /** 0: the connection ended without one. */
  readonly status: number;
  /** The beginning of it. */
  readonly text: string;
}

export interface Target {
  readonly port: number;
  readonly tokenOf: (caller: CallerName) => string | undefined;
  readonly revision: () => Promise<number>;
}

/** A request that nobody answers is given up; the oracle, not this, says whether the plane was stuck. */
export const ANSWER_MS = 20_000;
/** Some reads wait for what does not come, such as a revision of the future; their reader goes away. */
const READ_MS = 400;
/** How long a reader that does not read, or a sender that stops, holds on to its connection. */
const HOLD_MS = 60;
/** Enough to find what was let out; the rest of a long answer is only counted by the plane's memory. */
const TEXT_MOST = 262_144;

export async function sendCase(
  target: Target,
  requests: readonly HostileRequest[],
  readMs = READ_MS,
): Promise<readonly Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (const request of requests) {
    for (let time = 0; time < (request.times ?? 1); time += 1) {
      const answer = send(target, await filledIn(target, request, time), readMs);
      answers.push(answer);
      if (request.isParallel !== true) await answer;
    }
  }
  return Promise.all(answers);
}

/** With the numbers and the revision that its placeholders stand for. */
async function filledIn(
  target: Target,
  request: HostileRequest,
  time: number,
): Promise<HostileRequest> {
  const written = JSON.stringify([request.path, request.body ?? []]);
  if (!written.includes("{rev") && !written.includes("{n}") && !written.includes("{token}"))
    return request;
  const revision = written.includes("{rev") ? await target.revision() : 0;
  const fill = (text: string): string =>
    text
      .replaceAll("{n}", String(time))
      .replaceAll(/\{rev(?:\+(\d+))?\}/g, (_, more?: string) =>
        String(revision + Number(more ?? 0)),
      )
      .replaceAll("{token}", target.tokenOf(request.caller) ?? "none");
  const fillPart = (part: BodyPart): BodyPart => {
    if (typeof part === "string") return fill(part);
    return "base64" in part ? part : { ...part, text: fill(part.text) };
  };
  return { ...request, path: fill(request.path), body: (request.body ?? []).map(fillPart) };
}

function send(target: Target, request: HostileRequest, readMs: number): Promise<Answer> {
  return request.how === "raw" ? sendRaw(target, request) : sendPlain(target, request, readMs);
}

function sendPlain(target: Target, request: HostileRequest, readMs: number): Promise<Answer> {
  const { how = "plain" } = request;
  const bytes = bodyBytes(request.body);
  return new Promise((resolve) => {
    const failed = (): void => resolve({ request, status: 0, text: "" });
    const sent = begun(target, request, bytes.length);
    if (sent === undefined) return failed();
    sent.setTimeout(request.method === "GET" ? readMs : ANSWER_MS, () => sent.destroy());
    sent.once("error", failed);
    sent.once("close", failed);
    sent.once("response", (response) => {
      sent.off("close", failed);
      void answerOf(request, response).then(resolve);
    });
    if (how === "half-body") {
      sent.write(bytes);
      void sleep(HOLD_MS).then(() => sent.destroy());
    } else sent.end(bytes);
  });
}

async function answerOf(request: HostileRequest, response: IncomingMessage): Promise<Answer> {
  const isRead = (request.how ?? "plain") === "plain";
  const text = isRead ? await readText(response) : await sleep(HOLD_MS, "");
  if (!isRead) response.destroy();
  return { request, status: response.statusCode ?? 0, text };
}

/** Undefined: node itself refuses to write such a path or header. */
function begun(target: Target, request: HostileRequest, length: number): ClientRequest | undefined {
  const { caller, method, path, headers } = request;
  const token = target.tokenOf(caller);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const size = length > 0 ? { "content-length": String(length) } : {};
  try {
    return ask({
      host: "127.0.0.1",
      port: target.port,
      method,
      path,
      agent: false,
      headers: { ...authorization, ...size, ...headers },
    });
  } catch {
    return undefined;
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  const isEndless = setTimeout(() => response.destroy(), READ_MS);
  try {
    for await (const part of response as AsyncIterable<Buffer>)
      if (text.length < TEXT_MOST) text += part.toString("latin1");
  } catch {
    // Cut off; what was read is what there is.
  } finally {
    clearTimeout(isEndless);
  }
  return text;
}

/** A socket of its own; it is closed after a while, whatever came. */
function sendRaw(target: Target, request: HostileRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: target.port });
    let text = "";
    const isOver = setTimeout(() => socket.destroy(), HOLD_MS);
    socket.on("data", (part: Buffer) => {
      if (text.length < TEXT_MOST) text += part.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(isOver);
      const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ request, status, text });
    });
    socket.write(bodyBytes(request.body));
  });
}
