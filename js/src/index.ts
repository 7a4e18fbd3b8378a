// The widget's front-end module: anywidget calls `initialize` once a model and `render` once a view.

// First, so that each of its tables stands beside the English one, and compresses well.
import "./korean";
import { effect } from "@preact/signals";
import { render as draw, h } from "preact";
import { App } from "./dashboard/app";
import { keepStyled } from "./lib/styles";
import { setLanguage } from "./lib/texts";
import { Options } from "./options/options";
import { alwaysSent, panels } from "./panels/registry";
import { createView } from "./ui/view";
import { Channel } from "./wire/channel";
import { onHandedOver } from "./wire/handover";
import { patchDroppedMessages } from "./wire/hostkernel";
import { answerLastView } from "./wire/lastview";
import type { InitializeProps, Model, RenderProps } from "./wire/model";
import { anywidgetTransport } from "./wire/transport";

interface Opened {
  readonly channel: Channel;
  readonly options: Options;
}

/** By the model's own key: models handed to `initialize` and to `render` need not be the same object. */
const opened = new Map<string, Opened>();

function initialize({ model, signal }: InitializeProps): void {
  open(model, signal);
  void patchDroppedMessages(model, key(model));
}

function render({ model, el, signal }: RenderProps): void {
  const { channel, options } = opened.get(key(model)) ?? open(model, signal);
  // A page that was saved may hold some of them only.
  const only = model.get("_only");
  const shown = Array.isArray(only) ? panels.filter(({ name }) => only.includes(name)) : panels;
  // First: what is measured has its styles by then.
  keepStyled(el, signal);
  const view = createView({ channel, options, panels: shown, el }, signal);
  answerLastView(el, channel.store, () => options.values(), signal);
  onHandedOver(el, (made) => options.takeOver(made), signal);
  draw(h(App, { view, panels: shown }), el);
  signal.addEventListener("abort", () => draw(null, el), { once: true });
}

function open(model: Model, until: AbortSignal): Opened {
  // Texts of messages are worded when they are read, in the language set by then.
  const language = model.get("language");
  setLanguage(typeof language === "string" ? language : null);
  const codecs = new Set([...panels.flatMap((panel) => panel.codecs), ...alwaysSent]);
  const channel = new Channel(anywidgetTransport(model, key(model)), [...codecs], until);
  const tables = panels.flatMap((panel) => panel.options);
  const names = panels.map(({ name }) => name);
  const options = new Options(model, channel.store, tables, until, undefined, undefined, names);
  const made = { channel, options };
  const endLanguage = effect(() => setLanguage(made.options.board.language.value));
  const own = key(model);
  opened.set(own, made);
  until.addEventListener(
    "abort",
    () => {
      endLanguage();
      // By then the same widget may have been opened again.
      if (opened.get(own) === made) {
        opened.delete(own);
      }
    },
    { once: true },
  );
  return made;
}

function key(model: Model): string {
  return String(model.get("_session"));
}

export default { initialize, render };
