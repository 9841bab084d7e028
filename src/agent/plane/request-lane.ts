/**
 * Lets so many requests be under way at once and so many wait. An agent with a thousand things to
 * report would otherwise open a thousand connections, and hold all of their bodies and answers in
 * memory (LB8). A request gives its place up before its answer comes when the server has been
 * silent for too long: the requests behind it go to another server.
 */
import { AGENT_LIMITS } from "../agent-limits.ts";

/** Called with how to give the place up early. */
type Sending = (giveUpPlace: () => void) => Promise<unknown>;

export class RequestLane {
  private readonly waiting: Sending[] = [];
  private underWay = 0;

  /** False when too many wait already: then it is not sent. */
  send(request: Sending): boolean {
    if (this.underWay >= AGENT_LIMITS.requestsUnderWay.value) {
      if (this.waiting.length >= AGENT_LIMITS.requestsWaiting.value) return false;
      this.waiting.push(request);
      return true;
    }
    void this.begin(request);
    return true;
  }

  /** What waits is not sent any more. */
  close(): void {
    this.waiting.length = 0;
  }

  private async begin(request: Sending): Promise<void> {
    this.underWay += 1;
    let hasPlace = true;
    const giveUpPlace = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      this.underWay -= 1;
      const next = this.waiting.shift();
      if (next !== undefined) void this.begin(next);
    };
    try {
      await request(giveUpPlace);
    } finally {
      giveUpPlace();
    }
  }
}
