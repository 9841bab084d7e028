/**
 * Everything that can be waiting in virtual time. Hosts talk to each other only through these, so the
 * order of a run is the order of the queue and nothing else.
 */
import type { Commit } from "../core/commit/commit-record.ts";
import type { Reply } from "../core/commit/outcome.ts";
import type { AuthorityInput, ClientInput, ProcessEvent } from "../core/kernel/component.ts";
import type { Epoch } from "../core/model/ids.ts";
import type { ClientProcess } from "./client-process.ts";
import type { Fault } from "./fault.ts";
import type { MachineProcess } from "./machine-process.ts";
import type { Message } from "./message.ts";
import type { NodeMachine } from "./node-machine.ts";
import type { PlaneProcess } from "./plane-process.ts";

/** What concerns one client. While its node is paused these are kept and handed over on return. */
export type ClientEvent =
  | { readonly kind: "timer"; readonly client: ClientProcess; readonly life: number }
  | {
      readonly kind: "reply";
      readonly client: ClientProcess;
      readonly message: Message;
      readonly reply: Reply;
    }
  | { readonly kind: "deliver"; readonly client: ClientProcess; readonly life: number }
  | {
      readonly kind: "listed";
      readonly client: ClientProcess;
      readonly life: number;
      readonly list: number;
      readonly input: Extract<ClientInput, { kind: "listed" }>;
    }
  | {
      readonly kind: "list-again";
      readonly client: ClientProcess;
      readonly life: number;
      readonly list: number;
    }
  | { readonly kind: "restart-client"; readonly client: ClientProcess; readonly life: number };

export type PlaneEvent =
  | { readonly kind: "request"; readonly plane: PlaneProcess; readonly message: Message }
  | {
      readonly kind: "list-asked";
      readonly plane: PlaneProcess;
      readonly client: ClientProcess;
      readonly life: number;
      readonly list: number;
    }
  | { readonly kind: "claim-lands"; readonly plane: PlaneProcess; readonly life: number }
  | {
      readonly kind: "claimed";
      readonly plane: PlaneProcess;
      readonly life: number;
      readonly input: Extract<AuthorityInput, { kind: "claimed" }>;
    }
  | {
      readonly kind: "append-lands";
      readonly plane: PlaneProcess;
      readonly life: number;
      readonly append: number;
      readonly epoch: Epoch;
      readonly commits: readonly Commit[];
    }
  | { readonly kind: "restart-plane"; readonly plane: PlaneProcess; readonly life: number };

/** What concerns the machine under an agent; kept while it is paused, gone when it has crashed. */
export type NodeEvent =
  | {
      readonly kind: "process-event";
      readonly node: NodeMachine;
      readonly agentLife: number;
      readonly event: ProcessEvent;
    }
  | {
      readonly kind: "process-probed";
      readonly node: NodeMachine;
      readonly agentLife: number;
      readonly process: MachineProcess;
    }
  | {
      readonly kind: "process-ends";
      readonly node: NodeMachine;
      readonly process: MachineProcess;
      readonly code: number;
    }
  | { readonly kind: "leash"; readonly node: NodeMachine; readonly boots: number };

export type SimEvent =
  | ClientEvent
  | PlaneEvent
  | NodeEvent
  | { readonly kind: "boot"; readonly node: NodeMachine; readonly boots: number }
  | { readonly kind: "resume"; readonly node: NodeMachine; readonly pauses: number }
  | { readonly kind: "fault"; readonly fault: Fault }
  /** A stall, a drop or a partition is over: whoever waited for it is looked at. */
  | { readonly kind: "window-ends" }
  | { readonly kind: "heal" }
  | { readonly kind: "sweep" }
  | { readonly kind: "sample" };
