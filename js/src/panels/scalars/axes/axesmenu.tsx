// The menu of the toolbar: scales, limits and what is drawn along the axes of all cards.

import { strings } from "../../../lib/strings";
import { timeAxisOptions } from "../../../options/shared";
import { Check, Segments } from "../../../ui/controls";
import { useOptions } from "../../../ui/view";
import { RAW_VALUES, scalarsOptions } from "../options";
import { AxesForm, AxesRow, ScaleRow, StepsRow } from "./form";
import { NumberBox } from "./numberbox";

export function AxesMenu() {
  const { x_scale, raw_values, share_y, split_restarts, superseded, symlog_constant } = useOptions(scalarsOptions);
  const { x_axis, ignore_outliers } = useOptions(timeAxisOptions);
  const wall = x_axis.value === "wall";
  const active = (!wall && x_scale.value !== "linear") || share_y.value;
  return (
    <AxesForm label={strings.axesMenu} title={strings.axesMenuHint} active={active}>
      {() => (
        <>
          <ScaleRow
            name={strings.xScale}
            hints={strings.xScaleHints}
            chosen={wall ? "linear" : x_scale.value}
            choose={(scale) => x_scale.set(scale)}
            fixed={wall ? strings.xScaleWall : undefined}
          />
          <StepsRow />
          <hr />
          <AxesRow name={strings.rawValues}>
            <Segments
              title={strings.rawValues}
              options={RAW_VALUES}
              names={strings.rawValuesNames}
              hints={strings.rawValuesHints}
              chosen={raw_values.value}
              choose={(behind) => raw_values.set(behind)}
            />
          </AxesRow>
          <Check option={split_restarts} name={strings.splitRestarts} hint={strings.splitRestartsHint} />
          <Check option={superseded} name={strings.showSuperseded} hint={strings.showSupersededHint} />
          <hr />
          <Check option={ignore_outliers} name={strings.outliers} hint={strings.outliersHint} />
          <Check option={share_y} name={strings.shareY} hint={strings.shareYHint} />
          <AxesRow name={strings.symlogConstant} hint={strings.symlogConstantHint}>
            <NumberBox option={symlog_constant} name={strings.symlogConstant} least={1e-300} most={1e300} />
          </AxesRow>
        </>
      )}
    </AxesForm>
  );
}
