import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { closeUnsentAnswers } from "./close-unsent-answers.ts";

const PIPELINED = 20;

test("[FZ1] a connection that ends closes every answer once, also those that were never begun", async () => {
  const asked: ServerResponse[] = [];
  const closed: ServerResponse[] = [];
  const server = createServer((_, response) => {
    asked.push(response);
    response.once("close", () => closed.push(response));
    response.on("close", () => closed.push(response));
    // The first two are answered; the third never is, and holds up all that follow.
    if (asked.length <= 2) response.end("done");
    else if (asked.length > 3) response.end("behind");
  });
  closeUnsentAnswers(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(PIPELINED));
  // Both bound a hang alone.
  for (const endMs = Date.now() + 120_000; asked.length < PIPELINED && Date.now() < endMs;)
    await sleep(5);
  socket.destroy();
  for (const endMs = Date.now() + 120_000; closed.length < 2 * PIPELINED && Date.now() < endMs;)
    await sleep(5);
  server.close();
  expect(asked).toHaveLength(PIPELINED);
  expect(closed).toHaveLength(2 * PIPELINED);
  expect(new Set(closed)).toEqual(new Set(asked));
});
