/** `berth plane` in this process, with its files in a folder of the test. */
import { deferred } from "../../src/cli/deferred.ts";
import { runPlane } from "../../src/cli/plane/run-plane.ts";
import type { PlaneCommandOptions } from "../../src/cli/commands/plane.ts";

export interface Running {
  readonly out: string;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPlane(options: PlaneCommandOptions): Promise<Running> {
  const stopped = deferred<string>();
  const said = deferred<string>();
  const terminal = { out: said.resolve, err: () => {}, exitCode: 0 };
  const quiet = { listen: "127.0.0.1:0", logLevel: "silent", store: "memory", record: false };
  const running = runPlane({ ...quiet, ...options }, terminal, stopped.promise);
  const out = await Promise.race([said.promise, running.then(() => "it ended")]);
  const stop = async (): Promise<void> => {
    stopped.resolve("the test");
    await running;
  };
  return { out, url: /http\S+(?=,)/.exec(out)?.[0] ?? "", stop };
}
