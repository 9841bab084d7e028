/** A process whose command meets text that it cannot parse, and does not expect that. */
import { main, type Register } from "../../src/cli/main.ts";

function fail(): never {
  try {
    return JSON.parse("\u001B[2Jowned") as never;
  } catch (error) {
    (error as Error).cause = new Error("caused by \u009B1A");
    throw error;
  }
}

const register: Register = (program) => {
  program.command("fail").action(fail);
};
process.exitCode = await main(["fail"], undefined, [register]);
