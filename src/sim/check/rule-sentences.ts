/**
 * What each rule of the checkers says, in one sentence, for the person who meets its violation.
 * INV rules hold after every turn; LIV rules are demanded once the faults are over and the world has healed.
 */
export const RULE_SENTENCES: Readonly<Record<string, string>> = {
  INV0: "No assertion inside a component ever breaks.",
  INV1: "A slot of a workload generation has at most one live binding.",
  INV2: "The replicas bound to a node never ask for more than the node has.",
  INV3: "An exclusive device belongs to at most one replica.",
  INV4: "What a tenant has reserved and committed is counted exactly and stays within its quota.",
  INV5: "An intent holds at most one reservation, and every reservation ends exactly once.",
  INV6: "A stage is changed only by the role that owns the change.",
  INV7: "A replica is bound only to a node that was open to it when the bind was committed.",
  INV8: "A slot never has two processes, and none once its replica was released.",
  INV9: "An exclusive device is used by at most one process.",
  INV10: "The log is in order, and an operation has at most one effect.",
  INV11: "What was acknowledged to a client stays in the log.",
  INV12: "Every destructive commit is borne out by the evidence it cites.",
  INV13: "When many nodes fall silent at once, destructive action is held back.",
  INV14: "Nothing waits without a reason and a deadline.",
  INV15: "No operation is tried more often than its bound allows.",
  INV16: "A component's view never goes back, and agrees with the truth once everything rests.",
  INV17:
    "A command is tried again only under the same operation, and only once its outcome was asked for.",
  INV18: "A wait is true in the view of whoever waits: what would end it has not happened there.",
  INV19: "Whatever is not settled is queued, in flight or owed a look by someone.",
  INV20: "A process is started only when its claim was committed.",
  LIV1: "Work that fits somewhere is placed.",
  LIV2: "Work that fits nowhere is owed a wake-up.",
  LIV3: "Work that is bound comes to serve.",
  LIV4: "Nothing is left behind that nobody owns.",
  LIV5: "A healthy node is ready for work.",
};

/** A rule without a sentence is still shown, by its number. */
export function ruleSentence(rule: string): string {
  return RULE_SENTENCES[rule] ?? `Rule ${rule} holds.`;
}
