/**
 * The part of a plane's process that joins it to other planes, for as long as one leadership lasts:
 * it reads what the plane has published, and asks the plane's own authority.
 */
import type { Request } from "../../core/kernel/component.ts";
import type { Intent } from "../../core/protocol/command.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import type { Estate } from "./estate.ts";

export class LeadingPlane {
  readonly plane: PlaneProcess;
  readonly epoch: Epoch;
  private readonly estate: Estate;
  private readonly engine: Estate["engine"];
  private readonly incarnation: number;
  private attempts = 0;
  /** Its host has told it what it is, and waits for the answer. */
  isIncarnating = false;

  constructor(estate: Estate, plane: PlaneProcess) {
    this.estate = estate;
    this.engine = estate.engine;
    this.plane = plane;
    this.epoch = plane.epoch;
    this.incarnation = plane.incarnation;
  }

  get isLive(): boolean {
    const { plane } = this;
    const isSame = plane.incarnation === this.incarnation && plane.epoch === this.epoch;
    return plane.up && isSame && this.estate.engine === this.engine && !this.estate.isLost;
  }

  /** On the clock of its authority. */
  get nowMs(): number {
    return this.plane.readClock(this.estate.sim.nowMs);
  }

  get published(): Revision {
    return this.plane.published;
  }

  /** What the plane shows; valid until the next call. */
  get objects(): ObjectIndex {
    return this.engine.watch.shownBy(this.plane, this.plane.published);
  }

  /** Without an answer the leadership is over. */
  submit(intent: Intent, by: "region-link" | "user", answered: (reply: Reply) => void): void {
    const request: Request = {
      kind: "command",
      attempt: ++this.attempts,
      command: {
        intent,
        epoch: this.epoch,
        basis: this.published,
        actor: { role: by, name: by === "user" ? "ops" : "region-link" },
      },
    };
    this.engine.planes.submit(this.plane, request, (reply) => {
      // The authority is in the middle of its turn.
      this.soon(() => answered(reply));
    });
  }

  /** After everything that happens in this millisecond, if the leadership lasts until then. */
  soon(act: () => void): void {
    this.later(0, act);
  }

  later(delayMs: number, act: () => void): void {
    this.estate.at(this.estate.sim.nowMs + delayMs, () => {
      if (this.isLive) act();
    });
  }
}
