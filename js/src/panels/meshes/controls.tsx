// Controls of all meshes, in the toolbar and in the viewer, and the button that fits the meshes of a tag.

import { scaleColor } from "../../lib/colors";
import { strings } from "../../lib/strings";
import { Check, Segments } from "../../ui/controls";
import { useOptions, useView } from "../../ui/view";
import { camerasOf, canFit, look } from "./camera";
import { COLORINGS, meshesOptions, SHADES } from "./options";
import { showsOnlyPoints } from "./surfaces";

const { meshes: texts } = strings;

const STOPS = [1, 0.75, 0.5, 0.25, 0];

export function MeshControls() {
  const view = useView();
  const { mesh_shade, mesh_color, mesh_same_camera } = useOptions(meshesOptions);
  const coloring = mesh_color.value;
  return (
    <>
      <Segments
        title={texts.shade}
        options={["auto", ...SHADES] as const}
        names={texts.shades}
        hints={texts.shadeHints}
        chosen={mesh_shade.value ?? "auto"}
        choose={(shade) => mesh_shade.set(shade === "auto" ? null : shade)}
      />
      <Segments
        title={texts.color}
        options={COLORINGS}
        names={texts.colorings}
        hints={texts.coloringHints}
        chosen={coloring}
        barred={showsOnlyPoints(view) ? { normal: texts.noNormals } : {}}
        choose={(chosen) => mesh_color.set(chosen)}
      />
      {coloring === "depth" && (
        <span class="tbwidget-mesh-key" title={texts.keyHint}>
          {texts.near}
          <i
            style={{
              background: `linear-gradient(to right, ${STOPS.map((at) => scaleColor(at, view.theme.value)).join(", ")})`,
            }}
          />
          {texts.far}
        </span>
      )}
      <Check option={mesh_same_camera} name={texts.sameCamera} hint={texts.sameCameraHint} />
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
      <button type="button" class="tbwidget-word" title={texts.fitHint} onClick={() => look(cameras, null)}>
        {texts.fit}
      </button>
    )
  );
}
