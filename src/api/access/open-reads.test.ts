import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { OpenReads } from "./open-reads.ts";

class Response extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}
const aResponse = () => new Response() as Response & ServerResponse;

test("a stream ends when its right is gone, in its own way or by a cut, and others go on [AZ43]", () => {
  const reads = new OpenReads(1_000_000);
  let isAllowed = true;
  let ends = 0;
  const [polite, plain, other] = [aResponse(), aResponse(), aResponse()];
  reads.add(polite, { isStill: () => isAllowed, end: () => (ends += 1) });
  reads.add(plain, { isStill: () => isAllowed });
  reads.add(other, { isStill: () => true });
  reads.check();
  expect([ends, plain.destroyed, reads.size]).toEqual([0, false, 3]);
  isAllowed = false;
  reads.check();
  expect([ends, plain.destroyed, other.destroyed]).toEqual([1, true, false]);
  other.destroy();
  reads.check();
  expect([ends, reads.size]).toEqual([1, 0]);
  reads.close();
});
