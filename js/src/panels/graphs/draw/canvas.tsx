// A graph that is drawn: what it shows comes in, what the user does to it goes out.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useView } from "../../../ui/view";
import { boxAt } from "../places";
import type { Covered } from "./camera";
import type { Scene } from "./scene";
import { changeText } from "./spoken";
import { GraphStage } from "./stage";
import type { StageEvents } from "./stageevents";
import { graphDrawingTexts } from "./texts";
import { tooltipOf } from "./tooltip";
import "./draw.css";

/** What code around a graph can have it do. */
export type GraphController = Pick<GraphStage, "fit" | "zoomBy" | "center" | "uncover" | "focus" | "svg" | "png">;

export interface GraphCanvasProps {
  readonly scene: Scene;
  /** What the graph is called, for assistive technology. */
  readonly label: string;
  /** Path of a box; null for none. */
  readonly selected: string | null;
  readonly onSelect: (path: string | null) => void;
  /** A node that is drawn as a mark beside a box, by its number. */
  readonly onSelectNode: (node: number) => void;
  readonly onToggle: (path: string) => void;
  /** A menu is asked for about a box, or about none, at a place in the window in CSS pixels. */
  readonly onMenu: (path: string | null, left: number, top: number) => void;
  readonly onSearch: () => void;
  readonly covered: () => Covered;
  /** Called with the controller when there is one, and with null at the end. */
  readonly controller?: (controller: GraphController | null) => void;
}

export function GraphCanvas(props: GraphCanvasProps) {
  const view = useView();
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<GraphStage | null>(null);
  // What is called is always the newest.
  const current = useRef(props);
  current.current = props;
  const { label } = props;
  useEffect(() => {
    if (host.current === null) {
      return;
    }
    const events: StageEvents = {
      selected: (path) => current.current.onSelect(path),
      nodeSelected: (node) => current.current.onSelectNode(node),
      toggled: (path) => current.current.onToggle(path),
      menu: (path, left, top) => current.current.onMenu(path, left, top),
      search: () => current.current.onSearch(),
      covered: () => current.current.covered(),
      hovered: ({ scene, prepared }, hit, left, top) => {
        const content = tooltipOf(scene, prepared, hit);
        view.tooltip.value = content === null ? null : { left, top, content, spoken: "" };
      },
    };
    const made = new GraphStage(host.current, label, view.frames, view.theme.peek(), events);
    stage.current = made;
    made.show(current.current.scene, current.current.selected);
    current.current.controller?.(made);
    return () => {
      stage.current = null;
      view.tooltip.value = null;
      current.current.controller?.(null);
      made.end();
    };
  }, [view, label]);
  const announcement = useSignal("");
  const last = useRef(props.scene.view);
  useEffect(() => stage.current?.show(props.scene, props.selected), [props.scene, props.selected]);
  useEffect(() => {
    const { view } = current.current.scene;
    const box = props.selected === null ? -1 : boxAt(view, props.selected);
    // The keyboard's focus on a box says it already.
    if (box >= 0 && stage.current?.focused !== props.selected) {
      announcement.value = graphDrawingTexts().selected(view.label[box] as string);
    }
  }, [props.selected, announcement]);
  useEffect(() => {
    if (last.current !== props.scene.view) {
      announcement.value = changeText(last.current, props.scene.view) || announcement.peek();
      last.current = props.scene.view;
    }
  }, [props.scene.view, announcement]);
  useSignalEffect(() => {
    const theme = view.theme.value;
    // The page's own colors change with its theme, a moment later.
    const frame = requestAnimationFrame(() => stage.current?.recolor(theme));
    return () => cancelAnimationFrame(frame);
  });
  return (
    <>
      <div ref={host} class="tbwidget-graph-canvas" />
      <p class="tbwidget-spoken" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}
