/** Makes a case smaller while it still shows what it showed: fewer requests, fewer headers, shorter bodies. */
import type { BodyPart, HostileCase, HostileRequest } from "./hostile-case.ts";

/** Each try sends a case that may be slow, or kill a plane. */
const TRIES = 24;
const TIME_MS = 15_000;

export async function shrinkCase(
  one: HostileCase,
  stillShows: (smaller: HostileCase) => Promise<boolean>,
): Promise<HostileCase> {
  let best = one;
  let tries = 0;
  const endMs = performance.now() + TIME_MS;
  for (let isSmaller = true; isSmaller && tries < TRIES;) {
    isSmaller = false;
    for (const requests of smallerRequests(best.requests)) {
      if (tries >= TRIES || performance.now() > endMs) return best;
      tries += 1;
      if (!(await stillShows({ ...best, requests }))) continue;
      best = { ...best, requests };
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerRequests(
  requests: readonly HostileRequest[],
): Generator<readonly HostileRequest[]> {
  if (requests.length > 1)
    for (let at = 0; at < requests.length; at += 1) yield requests.toSpliced(at, 1);
  for (const [at, request] of requests.entries())
    for (const smaller of smallerBodies(request)) yield requests.with(at, smaller);
}

function* smallerBodies(request: HostileRequest): Generator<HostileRequest> {
  const { body = [] } = request;
  for (const [at, part] of body.entries())
    for (const smaller of smallerParts(part))
      yield { ...request, body: body.toSpliced(at, 1, ...smaller) };
}

function* smallerParts(part: BodyPart): Generator<readonly BodyPart[]> {
  if (typeof part === "string") {
    if (part.length > 4_000) yield [part.slice(0, part.length / 2)];
    return;
  }
  if ("base64" in part) return;
  if (part.times > 1) yield [{ ...part, times: Math.floor(part.times / 2) }];
}
