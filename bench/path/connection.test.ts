import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Connection } from "./connection.ts";

const REQUEST = "GET / HTTP/1.1\r\n\r\n";

let server: Server | undefined;
afterEach(() => void server?.close());

/** Answers each request with the next of these; each answer is sent in the pieces given. */
async function serving(answers: readonly (readonly string[])[]): Promise<URL> {
  let next = 0;
  const reply = async (socket: Socket): Promise<void> => {
    for (const piece of answers[next++] ?? []) {
      await new Promise((resolve) => socket.write(piece, resolve));
      await new Promise(setImmediate);
    }
  };
  server = createServer((socket) => {
    socket.on("data", () => void reply(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server?.listen({ host: "127.0.0.1", port: 0 }, resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe("Connection", () => {
  it("reads answers whatever pieces they come in, one after the other", async () => {
    const url = await serving([
      ["HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello"],
      ["HTTP/1.1 409 Conf", "lict\r\ncontent-length: 6\r\n\r", "\n", "no", "ho", "pe"],
      ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
      ["HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsk", "ål ü"],
    ]);
    const connection = await Connection.open(url);
    const said: string[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const { status, body } = await connection.send(REQUEST);
      said.push(`${status} ${body.toString()}`);
    }
    connection.close();
    expect(said).toEqual(["201 hello", "409 nohope", "200 ", "200 skål ü"]);
  });

  it("fails what is asked when the plane goes away, and everything after it", async () => {
    const url = await serving([]);
    server?.on("connection", (socket: Socket) => socket.on("data", () => socket.destroy()));
    const connection = await Connection.open(url);
    for (let asked = 0; asked < 2; asked += 1) {
      await expect(connection.send(REQUEST)).rejects.toThrow("closed a connection");
    }
  });

  it("does not wait for the end of an answer that does not say where it is", async () => {
    const connection = await Connection.open(await serving([["HTTP/1.1 200 OK\r\n\r\n"]]));
    await expect(connection.send(REQUEST)).rejects.toThrow("without a length");
    connection.close();
  });
});
