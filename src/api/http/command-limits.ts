/**
 * What agents and controllers may say in one command; the authority has bounds of its own for most
 * of it.
 */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";

const beyond = "400 `bad-request`";

export const COMMAND_LIMITS = {
  nameBytes: {
    value: 512,
    unit: "bytes",
    of: "a name or a reason in a command",
    beyond,
    why: "twice the longest name",
  },
  replicas: {
    value: 10_000,
    unit: "count",
    of: "replicas that one lease names, or keeps",
    beyond,
    why: "ten times what one machine runs",
  },
  notes: {
    value: 32,
    unit: "count",
    of: "notes of an agent on its machine",
    beyond,
    why: "each is one missing feature of the machine",
  },
  ports: {
    value: 64,
    unit: "count",
    of: "ports of a replica that its agent reports",
    beyond,
    why: "as many as a template may have",
  },
  victims: {
    value: 1_024,
    unit: "count",
    of: "victims of one preemption",
    beyond,
    why: "as many as a command may name",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export const COMMAND = limitValues(COMMAND_LIMITS);
