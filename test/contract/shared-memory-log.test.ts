import { SharedMemory, SharedMemoryLog } from "../builders/shared-memory-log.ts";
import { sharedLogContract } from "./shared-log-contract.ts";

sharedLogContract("the log in memory that planes share", (of) => {
  const shared = new SharedMemory(of);
  return {
    open: async () => new SharedMemoryLog(shared),
    lapse: async () => shared.endLease(),
    // It has no changes of its own beside the log's.
    forgetChanges: async () => {},
  };
});
