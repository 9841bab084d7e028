/** One promise of the HTML report: its verdict, its pictures, and the answers to the questions. */
import {
  QUESTION_GROUPS,
  type CapacityArgument,
  type Finding,
  type Simulation,
} from "../review.ts";
import {
  capacitySentences,
  fixSentence,
  mechanismSentences,
  simulationSentences,
  worstRunParts,
} from "./finding-sentences.ts";
import { lossPicture } from "./loss-picture.ts";
import { markupText } from "./markup-text.ts";
import { recoveryPicture } from "./recovery-picture.ts";
import { sentencesOf } from "./shown-text.ts";
import { answersTo, GROUP_TEXT, VERDICT_TEXT } from "./verdict-text.ts";

export function findingHtml(finding: Finding, id: string): string {
  const { name, verdict, promise, reason, capacity, simulation, fix, boundary } = finding;
  return [
    `<section id="${id}" aria-labelledby="${id}-name">`,
    `<h2 id="${id}-name"><span class="badge ${verdict}">${VERDICT_TEXT[verdict]}</span> ${markupText(name)}</h2>`,
    `<p>${markupText(promise)}</p>`,
    `<p class="reason">${markupText(reason)}</p>`,
    fix === undefined ? "" : part("Smallest fix", `<p>${markupText(fixSentence(fix))}</p>`),
    part("Objects that carry it", sentenceList(mechanismSentences(finding))),
    capacity === undefined ? "" : part("Capacity", capacityHtml(capacity)),
    simulation === undefined ? "" : part("Simulation", simulationHtml(simulation)),
    answersHtml(finding),
    boundary.length === 0 ? "" : part("What this verdict does not say", sentenceList(boundary)),
    "</section>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

export function sentenceList(sentences: readonly string[]): string {
  const texts = sentencesOf(sentences).map(markupText);
  if (texts.length === 1) return `<p>${texts.join("")}</p>`;
  const items = texts.map((each) => `<li>${each}</li>`);
  return `<ul>${items.join("")}</ul>`;
}

const part = (title: string, html: string): string => `<h3>${title}</h3>\n${html}`;

/** The picture has the worst failure already; its sentence would only say it again. */
function capacityHtml(capacity: CapacityArgument): string {
  const { worst, ...others } = capacity;
  const picture = worst === undefined ? "" : lossPicture(worst);
  return sentenceList(capacitySentences(others)) + picture;
}

function simulationHtml(simulation: Simulation): string {
  const commands = worstRunParts(simulation).map(
    ([label, text]) => `<p class="quiet">${label}:</p><pre>${markupText(text)}</pre>`,
  );
  const sentences = simulationSentences(simulation).filter(isNotInPicture);
  return recoveryPicture(simulation) + sentenceList(sentences) + commands.join("");
}

const isNotInPicture = (sentence: string): boolean => !sentence.startsWith("Time after");

function answersHtml(finding: Finding): string {
  const groups = QUESTION_GROUPS.map((group) => {
    const { title, question } = GROUP_TEXT[group];
    return `<dt>${title}<br>${question}</dt><dd>${sentenceList(answersTo(group, finding))}</dd>`;
  });
  return part("Questions of a review", `<dl>${groups.join("")}</dl>`);
}
