/**
 * Ends the answers of a connection with the connection. Node tells only the answer that is being
 * sent that its reader is gone; answers to requests that were pipelined behind it never close by
 * themselves. A holder that waits for that, a permit, a queue or a set of open answers, would hold
 * them for ever, and a client that pipelines and leaves could take every permit and all memory.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export function closeUnsentAnswers(server: Server): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  // Before anybody else hears of the request: those may answer it at once.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = open.get(socket) ?? follow(socket);
    open.set(socket, answers);
    answers.add(response);
    response.once("close", () => answers.delete(response));
  });
}

function follow(socket: Socket): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  socket.once("close", () => {
    // The one that was being sent is closed by Node itself, in the same turn.
    setImmediate(() => {
      for (const answer of answers) answer.destroy().emit("close");
    });
  });
  return answers;
}
