// Controls of all meshes, in the toolbar and in the viewer, and the button that fits the meshes of a tag.

import { scaleColor } from "../../lib/colors";
import { Check, Segments } from "../../ui/controls";
import { useOptions, useView } from "../../ui/view";
import { camerasOf, canFit, look } from "./camera";
import { COLORINGS, meshesOptions, SHADES } from "./options";
import { showsOnlyPoints } from "./surfaces";
import { meshTexts } from "./texts";

const STOPS = [1, 0.75, 0.5, 0.25, 0];

export function MeshControls() {
  const view = useView();
  const { mesh_shade, mesh_color, mesh_same_camera } = useOptions(meshesOptions);
  const coloring = mesh_color.value;
  return (
    <>
      <Segments
        title={meshTexts().shade}
        options={["auto", ...SHADES] as const}
        names={meshTexts().shades}
        hints={meshTexts().shadeHints}
        chosen={mesh_shade.value ?? "auto"}
        choose={(shade) => mesh_shade.set(shade === "auto" ? null : shade)}
      />
      <Segments
        title={meshTexts().color}
        options={COLORINGS}
        names={meshTexts().colorings}
        hints={meshTexts().coloringHints}
        chosen={coloring}
        barred={showsOnlyPoints(view) ? { normal: meshTexts().noNormals } : {}}
        choose={(chosen) => mesh_color.set(chosen)}
      />
      {coloring === "depth" && (
        <span class="tbwidget-mesh-key" title={meshTexts().keyHint}>
          {meshTexts().near}
          <i
            style={{
              background: `linear-gradient(to right, ${STOPS.map((at) => scaleColor(at, view.theme.value)).join(", ")})`,
            }}
          />
          {meshTexts().far}
        </span>
      )}
      <Check option={mesh_same_camera} name={meshTexts().sameCamera} hint={meshTexts().sameCameraHint} />
    </>
  );
}

/** Fits the meshes of a tag; nothing while they are fitted, or have cameras of their own. */
export function FitButton({ tag }: { readonly tag: string }) {
  const { mesh_same_camera } = useOptions(meshesOptions);
  const cameras = camerasOf(useView(), tag, "");
  return (
    mesh_same_camera.value &&
    canFit(cameras) && (
      <button type="button" class="tbwidget-word" title={meshTexts().fitHint} onClick={() => look(cameras, null)}>
        {meshTexts().fit}
      </button>
    )
  );
}
