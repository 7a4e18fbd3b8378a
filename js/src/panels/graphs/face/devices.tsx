// Which devices count in the times and memory of a recorded step, where it ran on several.

import { formatCount } from "../../../lib/format";
import { Popover } from "../../../ui/popover";
import type { StepStatistics } from "../statistics";
import { graphTexts } from "../texts";

interface Props {
  readonly statistics: StepStatistics;
  choose(devices: readonly string[] | null): void;
}

export function Devices({ statistics, choose }: Props) {
  const { devices, known } = statistics;
  const all = known.value;
  const counted = devices.value ?? all;
  if (all.length < 2) {
    return null;
  }
  return (
    <Popover
      label={
        devices.value === null
          ? graphTexts().devices
          : graphTexts().someDevices(formatCount(counted.length), formatCount(all.length))
      }
      title={graphTexts().devicesHint}
      active={devices.value !== null}
    >
      {() => (
        <ul class="tbwidget-graph-devices">
          {all.map((device) => (
            <li key={device}>
              <label class="tbwidget-check">
                <input
                  type="checkbox"
                  checked={counted.includes(device)}
                  onChange={({ currentTarget }) => {
                    const chosen = all.filter((one) =>
                      one === device ? currentTarget.checked : counted.includes(one),
                    );
                    choose(chosen.length === all.length ? null : chosen);
                  }}
                />
                <bdi>{device || graphTexts().noneGiven}</bdi>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}
