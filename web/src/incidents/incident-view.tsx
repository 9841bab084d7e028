/**
 * One incident: lanes, list, the selected turn, and what was believed then. The dashboard and the
 * one-file page show it.
 */
import { useEffect, useMemo } from "preact/hooks";
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";
import { useKeys } from "../app/keys.ts";
import { BeliefPanel } from "./belief-panel.tsx";
import { IncidentHeader } from "./incident-header.tsx";
import { IncidentModel } from "./reading/incident-model.ts";
import { LaneBar } from "./lane-bar.tsx";
import { LaneStage } from "./lane-stage.tsx";
import { OverviewStrip } from "./overview-strip.tsx";
import { keepPlace, placeIn, type PlaceKeeper } from "./place-keeper.ts";
import { playTurns } from "./play-turns.ts";
import { ScrubBar } from "./scrub-bar.tsx";
import { TurnList } from "./turn-list.tsx";
import { TurnPanel } from "./turn-panel.tsx";
import "./incidents.css";

export interface IncidentViewProps {
  readonly document: IncidentDocument;
  readonly keeper: PlaceKeeper;
}

export function IncidentView({ document, keeper }: IncidentViewProps) {
  const model = useMemo(
    () => new IncidentModel(document, placeIn(document, keeper.read())),
    [document, keeper],
  );
  useEffect(() => keepPlace(model, keeper), [model, keeper]);
  useEffect(() => playTurns(model), [model]);
  useIncidentKeys(model);
  return (
    <div class="incident">
      <IncidentHeader model={model} />
      <OverviewStrip model={model} />
      <ScrubBar model={model} />
      <LaneBar model={model} />
      <div class="incident-main">
        <TurnList model={model} />
        <LaneStage model={model} />
      </div>
      <div class="incident-cards">
        <TurnPanel model={model} />
        <BeliefPanel model={model} />
      </div>
    </div>
  );
}

function useIncidentKeys(model: IncidentModel): void {
  const zoom = (factor: number) => () => model.zoom(factor);
  useKeys("Incident", [
    { keys: "]", text: "Next turn", run: () => void model.step(1) },
    { keys: "[", text: "Previous turn", run: () => void model.step(-1) },
    { keys: "j", text: "Next turn", run: () => void model.step(1) },
    { keys: "k", text: "Previous turn", run: () => void model.step(-1) },
    { keys: "n", text: "Next mark", run: () => void model.stepMark(1) },
    { keys: "p", text: "Previous mark", run: () => void model.stepMark(-1) },
    { keys: "v", text: "Jump to the violated rule", run: () => model.goToViolation() },
    { keys: "+", text: "Zoom in", run: zoom(0.625) },
    { keys: "=", text: "Zoom in", run: zoom(0.625) },
    { keys: "-", text: "Zoom out", run: zoom(1.6) },
    { keys: "0", text: "Show the full range", run: () => model.fit() },
    { keys: "ArrowLeft", text: "Scroll left", run: () => model.pan(-0.2) },
    { keys: "ArrowRight", text: "Scroll right", run: () => model.pan(0.2) },
    {
      keys: "o",
      text: "Toggle: only the object of this turn",
      run: () =>
        model.filterTo(model.place.peek().about === undefined ? model.key.peek() : undefined),
    },
  ]);
}
