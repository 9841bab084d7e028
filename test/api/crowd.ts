/** Many connections that say nothing, in a process of their own. Every message asks for more of them. */
import { connect } from "node:net";

const port = Number(process.argv[2]);
/** More at once than the kernel queues for a server that is busy would only be told to come again. */
const AT_ONCE = 200;

let open = 0;
let closed = 0;
let failed = 0;

const one = (): Promise<void> =>
  new Promise((resolve) => {
    let isOpen = false;
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      isOpen = true;
      open += 1;
      resolve();
    });
    socket.on("error", () => {
      if (!isOpen) failed += 1;
      resolve();
    });
    socket.on("close", () => {
      if (!isOpen) return;
      open -= 1;
      closed += 1;
    });
    // A socket that nobody reads does not notice that it was closed.
    socket.resume();
  });

async function add(count: number): Promise<void> {
  for (let at = 0; at < count; at += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, one));
  }
}

process.on("message", ({ add: count }: { readonly add: number }) => {
  void add(count).then(() => process.send?.({ open, closed, failed }));
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
