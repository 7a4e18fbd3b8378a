// Times and memory of a recorded step: which steps there are, and what the kernel answers about the one that was chosen.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Option } from "../../options/declare";
import { type LatestRequest, latestRequest } from "../../ui/latestrequest";
import type { Channel } from "../../wire/channel";
import type { Answer } from "../../wire/requests";
import { type GraphName, graphSteps } from "./documents";
import { decodeStatistics, type Statistics } from "./model/decode";
import type { Structure } from "./model/structure";

export interface StepStatistics extends Pick<LatestRequest<Statistics>, "value" | "waits" | "reason"> {
  /** Tags of the run's recorded steps, in natural order. */
  readonly steps: ReadonlySignal<readonly string[]>;
  /** The step that is shown; null where there is none. */
  readonly step: ReadonlySignal<string | null>;
  /** Names of the devices that count, of those that are known; null: all. */
  readonly devices: ReadonlySignal<readonly string[] | null>;
  /** All devices that the step ran on, as far as they are known. */
  readonly known: ReadonlySignal<readonly string[]>;
  /** Keeps requesting the wanted step; call the result to stop. */
  follow(): () => void;
}

/** `wanted`: whether anything is to be shown of them. */
export function stepStatistics(
  { store, requests }: Channel,
  graph: ReadonlySignal<GraphName | null>,
  structure: ReadonlySignal<Structure | null>,
  chosen: Option<string | null>,
  chosenDevices: Option<readonly string[] | null>,
  wanted: () => boolean,
): StepStatistics {
  const steps = computed(() => {
    const run = graph.value?.run;
    return run === undefined ? [] : (store.documents(graphSteps).get(run, "").value?.value ?? []);
  });
  const step = computed(() => steps.value.find((tag) => tag === chosen.value) ?? steps.value[0] ?? null);
  const known = signal<readonly string[]>([]);
  const devices = computed(() => countedDevices(chosenDevices.value, known.value));
  const of = computed(() => JSON.stringify([graph.value, step.value]));
  const { value, waits, reason, ask, cancel } = latestRequest<Statistics>(requests);
  /** The last request, without its devices. */
  let asked: { readonly of: string; readonly nodes: Structure } | null = null;
  const askForWanted = () => {
    const at = graph.value;
    const tag = step.value;
    const nodes = structure.value;
    const counted = chosenDevices.value;
    if (!wanted() || nodes === null || at === null || tag === null) {
      cancel();
      return;
    }
    const isSame = asked?.of === of.peek() && asked.nodes === nodes;
    asked = { of: of.peek(), nodes };
    const decode = async ({ data }: Answer) => {
      const found = await decodeStatistics(data, nodes);
      known.value = found.devices;
      return found;
    };
    ask("graphs.statistics", { run: at.run, tag: at.name, step: tag, devices: counted }, decode, isSame);
  };
  return {
    steps,
    step,
    devices,
    known,
    value,
    waits,
    reason,
    follow: () => {
      const ends = [
        // Another step has devices of its own.
        of.subscribe(() => {
          known.value = [];
        }),
        effect(askForWanted),
      ];
      return () => {
        for (const end of ends) {
          end();
        }
        cancel();
      };
    },
  };
}

/** Chosen devices that the step ran on; null, which is all, where it ran on none of them. */
export function countedDevices(chosen: readonly string[] | null, known: readonly string[]): readonly string[] | null {
  const found = chosen && known.filter((device) => chosen.includes(device));
  return chosen === null || (found?.length === 0 && chosen.length > 0) ? null : found;
}
