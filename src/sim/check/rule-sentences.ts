/**
 * What each rule of the checkers says, in one sentence, for the person who meets its violation.
 * INV rules hold after every turn; LIV rules are demanded once the faults are over and the world has healed.
 */
export const RULE_SENTENCES: Readonly<Record<string, string>> = {
  INV0: "No assertion inside a component ever breaks.",
  INV1: "A slot of a workload generation has at most one live binding.",
  INV2: "The replicas bound to a node never ask for more than the node has.",
  INV3: "Of a device never more than the whole is given away.",
  INV4: "What a tenant has reserved and committed is counted exactly and does not outgrow its quota.",
  INV5: "An intent holds at most one reservation, and every one ends once, for its own replica.",
  INV6: "A stage is changed only by the role that owns the change.",
  INV7: "A replica is bound only to a node that was open to it when the bind was committed.",
  INV8: "A slot never has two processes, and none once its replica was released.",
  INV9: "The processes on a device never use more than there is of it.",
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
  INV21: "A process is started only on a machine that has what it asks for.",
  INV22:
    "No bind puts together what must be kept apart, or goes beyond the cap of a node or workload.",
  INV23: "A command for many changes all the slots it names, or none of them.",
  INV30: "What the tenants of a group use together never grows beyond what they bring together.",
  INV31:
    "No region or class takes more than its quota, and nobody is lent what another is waiting for.",
  INV40:
    "Room that is held for a replica goes to nobody else, and is held no longer than it is of use.",
  INV41: "Who is preempted may be, for a replica that needs its room.",
  INV42: "Nobody on purpose takes more of a workload out of serving than it allows.",
  INV43: "Every chain of preemptions ends, and so many happen in a minute and no more.",
  INV50: "A gang starts whole, and holds quota without running only for as long as it said.",
  INV51:
    "Places are asked for in a fair order: least share first, and within a tenant by priority.",
  LIV1: "Work that fits somewhere is placed.",
  LIV2: "Work that fits nowhere is owed a wake-up.",
  LIV3: "Work that is bound comes to serve.",
  LIV4: "Nothing is left behind that nobody owns.",
  LIV5: "A healthy node is ready for work.",
  LIV6: "A gang for which there is room and quota is placed.",
  LIV7: "Large work gets a node before small work has passed it for ever.",
  LIV9: "Work that would fit if less important work made room gets that room.",
  LIV10: "Quota that was lent comes back to whoever is entitled to it and waits.",
};

/** A rule without a sentence is still shown, by its number. */
export function ruleSentence(rule: string): string {
  return RULE_SENTENCES[rule] ?? `Rule ${rule} holds.`;
}
