/** A command that writes until its output has no reader; for `end-with-reader.test.ts`. */
import { main } from "../../src/cli/main.ts";

await main(["write"], undefined, [
  (program, terminal) => {
    program.command("write").action(async () => {
      for (;;) {
        terminal.out("a line\n".repeat(1000));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  },
]);
