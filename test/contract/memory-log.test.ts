import { describe, expect, test } from "vitest";
import { LogUnavailable } from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { History } from "./a-history.ts";
import { logStoreContract } from "./log-store-contract.ts";

describe("MemoryLog [LG1] [LG2] [LG3] [LG4] [LG5] [LG6] [LG7]", () => {
  logStoreContract("MemoryLog", (of) => {
    // It lives as long as the process, so a restart finds the same one.
    const log = new MemoryLog(of);
    return { open: () => Promise.resolve(log) };
  });
});

test("[LG8] a fault that was ordered is what the next append meets, and the next claim shows what it left", async () => {
  const log = new MemoryLog();
  const history = new History();
  const { epoch } = await log.claim();
  log.orderFault("landed-unknown");
  log.orderFault("lost-unknown");
  log.orderFault("unavailable");
  expect(await log.append(epoch, history.next(epoch, 2))).toBe("unknown");
  expect(await log.append(epoch, history.propose(epoch))).toBe("unknown");
  await expect(log.append(epoch, history.propose(epoch))).rejects.toThrow(LogUnavailable);
  expect((await log.claim()).commits).toEqual(history.commits);
  expect(await log.append(epoch + 1, history.next(epoch + 1))).toBe("durable");
});
