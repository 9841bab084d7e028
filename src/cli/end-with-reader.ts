/**
 * A command whose output has no reader any more (`berth get pods | head`) has nothing left to do:
 * it ends without a word, or, if it stops in order (a plane, an agent), it is asked to stop.
 */

/** What a shell says of a program that the kernel ended for the same reason (128 + SIGPIPE). */
const NO_READER = 141;

export function endWithReader(): void {
  let isAsked = false;
  const end = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    // Stopping in order writes more lines, and none of them is a second request.
    if (isAsked) return;
    isAsked = true;
    if (process.listenerCount("SIGTERM") === 0) process.exit(NO_READER);
    process.kill(process.pid, "SIGTERM");
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", end);
}
