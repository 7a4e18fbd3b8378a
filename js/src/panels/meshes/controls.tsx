// Controls of meshes in the viewer, and the button that fits the meshes of a tag.

import { offered } from "../../ui/actionmenu";
import { BarControl } from "../../ui/toolbar";
import { useOptions, useView } from "../../ui/view";
import { drawingActions, sameCamera } from "./actions";
import { camerasOf, canFit, look } from "./camera";
import { meshesOptions } from "./options";
import { meshTexts } from "./texts";

export function MeshControls() {
  return (
    <>
      {offered([...drawingActions, sameCamera], useView()).map((action) => (
        <BarControl key={action.id} action={action} isNarrow={false} />
      ))}
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
      <button
        type="button"
        class="tbwidget-word"
        title={meshTexts().fitHint}
        data-action="view.fit"
        onClick={() => look(cameras, null)}
      >
        {meshTexts().fit}
      </button>
    )
  );
}
