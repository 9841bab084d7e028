/**
 * Role `flood`: one tenant that sends as much as it is told, whatever the plane answers. It ignores
 * Retry-After, and never waits for an answer before its next request is due.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { answerParent } from "../part/answer-parent.ts";
import { FloodConnection } from "./flood-connection.ts";
import type { FloodShape } from "./overload-task.ts";
import { requestOf } from "./flood-requests.ts";

export interface FloodTask {
  readonly url: string;
  readonly token: string;
  readonly shape: FloodShape;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second; left out: each connection sends its next request when one is answered. */
  readonly rate?: number;
  /** Objects have names of their own in each round. */
  readonly round: string;
}

export interface Flooded {
  readonly sent: number;
  readonly answered: number;
  readonly refused: number;
  readonly heldBack: number;
  /** Numbers of the objects that the plane acknowledged. */
  readonly made: readonly number[];
  readonly seconds: number;
}

const TICK_MS = 10;
const TOO_MANY = 429;
const CREATED = 201;

class Flood {
  private readonly task: FloodTask;
  private readonly url: URL;
  private readonly free: FloodConnection[] = [];
  private readonly open = new Set<FloodConnection>();
  private sent = 0;
  private answered = 0;
  private refused = 0;
  private heldBack = 0;
  private readonly made: number[] = [];
  private isOver = false;

  constructor(task: FloodTask) {
    this.task = task;
    this.url = new URL(task.url);
  }

  async run(): Promise<Flooded> {
    const beganMs = performance.now();
    const { rate, connections, seconds } = this.task;
    let due = 0;
    for (let at = 0; at < (rate === undefined ? connections : 0); at += 1) this.send();
    for (;;) {
      const passed = (performance.now() - beganMs) / 1_000;
      if (passed >= seconds) break;
      if (rate !== undefined) {
        for (; due < passed * rate; due += 1) this.send();
      }
      await sleep(TICK_MS);
    }
    this.isOver = true;
    const { sent, answered, refused, heldBack, made } = this;
    const took = (performance.now() - beganMs) / 1_000;
    // Objects acknowledged by now count. Requests still under way may or may not take effect; none
    // is left to the next measurement.
    for (const connection of this.open) connection.close();
    return { sent, answered, refused, heldBack, made: [...made], seconds: took };
  }

  private send(): void {
    const connection = this.connection();
    if (connection === undefined) {
      this.heldBack += 1;
      return;
    }
    const number = this.sent;
    this.sent += 1;
    connection.send(requestOf(this.task, this.url.host, number), (status) => {
      if (this.isOver) return;
      if (status === TOO_MANY) this.refused += 1;
      else if (status > 0) this.answered += 1;
      if (status === CREATED) this.made.push(number);
      this.giveBack(connection);
      if (this.task.rate === undefined) this.send();
    });
  }

  private connection(): FloodConnection | undefined {
    for (let free = this.free.pop(); free !== undefined; free = this.free.pop()) {
      if (!free.isClosed) return free;
    }
    if (this.open.size >= this.task.connections) return undefined;
    const wants = this.task.shape === "watches" ? "first" : "whole";
    const connection = new FloodConnection(this.url, wants);
    this.open.add(connection);
    return connection;
  }

  private giveBack(connection: FloodConnection): void {
    // The next watch is another stream.
    if (this.task.shape === "watches") connection.close();
    if (connection.isClosed) this.open.delete(connection);
    else this.free.push(connection);
  }
}

export const playFlood = (): Promise<void> =>
  answerParent({ flood: (task: FloodTask): Promise<Flooded> => new Flood(task).run() });
