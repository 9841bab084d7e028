/** Ends the connection of a reader that takes nothing of what it was sent. */
import type { ServerResponse } from "node:http";

/**
 * Node itself looks how much of what was written has left: a reader that takes some of it is no
 * longer late. Silence of the server's own, with nothing left to take, is no fault of the reader.
 * Returns how to stop looking.
 */
export function cutOffWhenSlow(response: ServerResponse, slowMs: number): () => void {
  const { socket } = response;
  // Requests that come on no socket, as in tests, have a stand-in that is never slow.
  if (socket === null || typeof socket.setTimeout !== "function") return () => {};
  const look = (): void => {
    if (socket.writableLength > 0) socket.destroy();
  };
  response.on("timeout", look);
  socket.setTimeout(slowMs);
  return () => {
    response.off("timeout", look);
  };
}
