// The buttons at the card's name: legend, save, the full window.

import { safeName } from "../../../lib/filenames";
import { CloseButton } from "../../../ui/dialog";
import { FillButton } from "../../../ui/fillbutton";
import { Popover } from "../../../ui/popover";
import { saveTexts } from "../../../ui/save/texts";
import { saveFile } from "../../../ui/savefile";
import { cardTexts } from "../../../ui/texts";
import { graphTexts } from "../texts";
import "../../../ui/save/save.css";
import type { GraphController } from "../draw/canvas";
import { messageOf, type Picture } from "../draw/export";
import type { GraphState } from "../state";

const FORMATS: readonly (readonly [
  name: () => string,
  ending: string,
  draw: (canvas: GraphController) => Picture | Promise<Picture | null>,
])[] = [
  [() => saveTexts().formats.png, "png", (canvas) => canvas.png()],
  [
    () => saveTexts().formats.svg,
    "svg",
    (canvas) => ({ blob: new Blob([canvas.svg()], { type: "application/octet-stream" }) }),
  ],
];

export function StageButtons({ state }: { readonly state: GraphState }) {
  const { legend, full } = state;
  const canvas = state.canvas.value;
  return (
    <>
      <button
        type="button"
        class="tbwidget-word tbwidget-button"
        title={graphTexts().legendHint}
        aria-pressed={legend.value}
        onClick={() => {
          legend.value = !legend.peek();
        }}
      >
        {graphTexts().legend}
      </button>
      <span class="tbwidget-save-menu">
        <Popover label={saveTexts().card} title={graphTexts().saveHint} disabled={canvas === null}>
          {(close) => (
            <>
              <h4>{saveTexts().picture}</h4>
              <ul>
                {FORMATS.map(([name, ending, draw]) => (
                  <li key={ending}>
                    <button
                      type="button"
                      onClick={async () => {
                        close();
                        const drawn = canvas && (await draw(canvas));
                        if (drawn) {
                          state.message.value = messageOf(drawn);
                          if (drawn.blob !== null) {
                            saveFile(drawn.blob, `${fileName(state)}.${ending}`);
                          }
                        }
                      }}
                    >
                      {name()}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Popover>
      </span>
      {full.value ? (
        <CloseButton
          close={() => {
            full.value = false;
          }}
        />
      ) : (
        <FillButton
          label={cardTexts().full}
          fill={() => {
            full.value = true;
          }}
        />
      )}
    </>
  );
}

function fileName({ graph, body }: GraphState): string {
  const { run, name } = graph.peek() ?? { run: "", name: "" };
  const parts = [run, `${name}-${body.peek() ?? ""}`].map(safeName).filter((part) => part !== "");
  return parts.join("_") || "graph";
}
