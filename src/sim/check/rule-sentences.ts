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
  INV60: "Whoever does not answer is sent few retries, however many operations wait for an answer.",
  INV61: "A replica is not bound again to a node that has just turned it away.",
  INV70: "Two replicas of a slot live at once only as its workload has it.",
  INV71: "A node that keeps coming and going is held from new work for a while.",
  INV72: "A clock is suspected when it is wrong, and only then.",
  INV73:
    "A replica that is no longer ready says which probe said so, and no other probe is written down.",
  INV80:
    "A rollout takes nothing out of serving while that leaves fewer serving than the service allows.",
  INV81: "While a service rolls out, no more of its replicas live than it allows.",
  INV82:
    "A paused rollout stays, a step begins no more than it says, and the way back leads to what served.",
  INV90: "A hold on a node is lifted or changed by its holder, or by somebody who answers for it.",
  INV91: "No drain is over before its deadline, and none is forced that is not.",
  INV83: "What has served is not given up for what has yet to show that it can.",
  INV100:
    "No more of a job live at once than it says, and none beside one of its earlier template.",
  INV101:
    "No index of a job is run again once it succeeded or was given up, and none once the job is over.",
  INV110:
    "Room kept for recovery goes to what its workload has lost, and no more is kept than is asked for.",
  INV111: "A recovery is told as it was: what was lost, when it was back, and whether it was late.",
  INV112: "Capacity adds up, with what is kept for recovery.",
  LIV40:
    "Room that a recovery objective asks for is kept where there is room, and its losses are told.",
  INV102: "A job is over for a reason that is true, and is not deleted before its time.",
  INV103: "No two processes of one index of a job run at once.",
  INV120: "Once a plane was given the log, nothing of an earlier leadership lands in it.",
  INV121: "No plane answers but the one that was given the log last.",
  INV122: "A list as of now holds all that any plane had shown before it was asked for.",
  INV123: "Whatever was acknowledged, whoever leads knows of it.",
  INV124: "What a plane follows is the log, and nothing else.",
  INV125: "No plane answers on, or shows, what is not in the log yet.",
  INV140: "A policy revision never changes, and stays while anything names it.",
  INV141: "A binding names the policy revision that was in force there when it was made.",
  INV142: "One policy revision is in force in a place, and its pointer moves by activation alone.",
  INV143: "A rollback takes back what the plan of the revision that was left says, and no more.",
  INV144: "A rollback moves no more of a workload at once than can be spared.",
  LIV58: "What a rollback is to drain is drained.",
  INV130: "Nothing comes to a place while somebody avoids it.",
  INV131: "Nothing is released, replaced or evicted where repair is paused.",
  INV132: "No slot begins its first life where expansion is paused.",
  INV133: "Nothing of a frozen tenant begins, is placed, or is asked to go elsewhere.",
  INV134: "What is pinned is not asked to go elsewhere.",
  INV135:
    "An override is changed and released by its owner alone, and ends by itself not before its time.",
  INV136: "Those whom an override held back do not all come back at once.",
  INV170:
    "While a region is cut off, what is there stays, but for what nobody wants or has confirmed in time.",
  INV171:
    "What is bound in a region that is cut off is of low risk, on a budget from before, and provisional.",
  INV172:
    "A provisional binding is confirmed in time and only when it breaks no rule, or it is sent away.",
  INV173: "Nothing is provisional that was not bound while its region was cut off.",
  LIV66: "Once a region is back, nothing in it stays provisional.",
  LIV67: "Nobody goes on waiting for a region that is back.",
  LIV55: "An override whose time is over goes.",
  LIV56: "Nobody goes on waiting for an override that is gone.",
  INV150: "What is scaled by itself stays within its bounds, step by step.",
  INV151: "Nothing is scaled up while a replica of it has no node.",
  INV152:
    "As many are asked for as the load needs, and none is given back that was just wished for.",
  INV153: "A number that a person wrote is left alone, and nothing is scaled that people hold.",
  INV160:
    "What is granted to recoveries stays within the reserve, and what is spent within what is granted.",
  INV161: "Kept room is taken on a budget that is for it, while its workload recovers.",
  INV162:
    "What recovers goes before everybody's turn only with a budget, and only for as long as the policy says.",
  INV163:
    "A budget is granted and changed by whose it is, and goes not before its end or while it is spent.",
  INV180:
    "An agent changes its own node's status, its own lease and replicas bound to it, and nothing else.",
  INV181: "Whoever is told that an operation has had its effect is told of an effect of its own.",
  INV182: "A hostile tenant's user changes objects of that tenant, and nothing else.",
  INV183:
    "A replica is given up on the word or the end of a node only if it was bound to that node.",
  INV184:
    "A node that its agent registered claims no more than a machine can be, and takes no work before a person approves it.",
  LIV80: "Honest work comes to where it is wanted although hostile senders go on.",
  LIV62: "A budget that is over and of which nothing is spent goes.",
  LIV63: "A recovery is granted what the policy says and the reserve allows.",
  LIV60: "The number of replicas follows the load.",
  INV165: "No pool and no region gets more machines than it may have, or faster.",
  INV166: "A machine is asked for only where somebody waits for room whom nothing else helps.",
  INV167: "A node that is expected takes nothing, and is there only when its agent says so.",
  INV168: "No machine is given back that holds anything, or too early.",
  LIV64: "Who waits for room gets a machine that may be had.",
  LIV65: "An expected node comes or is given up, and one that nobody needs is given back and goes.",
  LIV50: "Somebody leads.",
  LIV51: "Who follows the log comes to its end.",
  LIV1: "Work that fits somewhere is placed.",
  LIV2: "Work that fits nowhere is owed a wake-up.",
  LIV3: "Work that is bound comes to serve.",
  LIV4: "Nothing is left behind that nobody owns.",
  LIV5: "A healthy node is ready for work.",
  LIV6: "A gang for which there is room and quota is placed.",
  LIV7: "Large work gets a node before small work has passed it for ever.",
  LIV9: "Work that would fit if less important work made room gets that room.",
  LIV12: "Drift is repaired: nothing holds what is gone, and nothing that is gone holds anything.",
  LIV10: "Quota that was lent comes back to whoever is entitled to it and waits.",
  LIV11: "Of two replicas of a slot that have met again one stays.",
  LIV30: "A job begins what it may, comes to its end, and goes when it was kept long enough.",
  LIV20: "A rollout comes to its end: to the new template, or back to one that served.",
};

/** A rule without a sentence is still shown, by its number. */
export function ruleSentence(rule: string): string {
  return RULE_SENTENCES[rule] ?? `Rule ${rule} holds.`;
}
