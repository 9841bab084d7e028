import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { FaultyProxy } from "./faulty-proxy.ts";

let proxy: FaultyProxy | undefined;
let echo: Server | undefined;
afterEach(() => {
  proxy?.close();
  echo?.close();
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}

/** Somebody on the near side of a proxy, with a server behind it that says everything back. */
async function throughProxy() {
  echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo?.listen(0, "127.0.0.1", resolve));
  proxy = new FaultyProxy({ host: "127.0.0.1", port: (echo.address() as AddressInfo).port });
  const socket = connect(Number(new URL(await proxy.listen()).port), "127.0.0.1");
  const heard = { text: "", isEnded: false };
  socket.on("data", (piece: Buffer) => (heard.text += piece.toString()));
  socket.on("error", () => {});
  socket.once("close", () => (heard.isEnded = true));
  return { proxy, echo, socket, heard };
}

describe("FaultyProxy", () => {
  it("carries bytes both ways, and a cut holds them back until it is mended, in order and without a loss", async () => {
    const { proxy: faulty, socket, heard } = await throughProxy();
    socket.write("one ");
    await until(() => heard.text === "one ");
    faulty.cut();
    socket.write("two ");
    await until(() => faulty.held > 0);
    socket.write("three");
    expect(heard).toEqual({ text: "one ", isEnded: false });
    faulty.heal();
    await until(() => heard.text === "one two three");
  });

  it("makes bytes late when it is slow, and counts them", async () => {
    const { proxy: faulty, socket, heard } = await throughProxy();
    faulty.slowDown(20);
    socket.write("late");
    await until(() => heard.text === "late");
    // Once on the way there and once on the way back.
    expect(faulty.slowed).toBe(2);
  });

  it("passes on the end of a connection", async () => {
    const { socket, heard } = await throughProxy();
    socket.end("bye");
    await until(() => heard.isEnded);
    expect(heard.text).toBe("bye");
  });
});
