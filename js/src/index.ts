// The widget's front-end module: anywidget calls `initialize` once a model and `render` once a view.

import { render as draw, h } from "preact";
import { App } from "./dashboard/app";
import { Choices } from "./dashboard/choices";
import { createView } from "./dashboard/view";
import "./dashboard/base.css";
import "./dashboard/header.css";
import "./dashboard/tabs.css";
import "./dashboard/toolbar.css";
import "./dashboard/runs.css";
import "./dashboard/main.css";
import "./dashboard/card.css";
import "./dashboard/note.css";
import "./charts/charts.css";
import "./panels/histograms/histograms.css";
import type { InitializeProps, Model, RenderProps } from "./wire/model";
import { hearDespite } from "./wire/rescue";
import { Session } from "./wire/session";

interface Opened {
  readonly session: Session;
  readonly choices: Choices;
}

/** By the model's own key: models handed to `initialize` and to `render` need not be the same object. */
const opened = new Map<string, Opened>();

function initialize({ model, signal }: InitializeProps): void {
  open(model, signal);
  void hearDespite(model, key(model));
}

function render({ model, el, signal }: RenderProps): void {
  const { session, choices } = opened.get(key(model)) ?? open(model, signal);
  const view = createView(session, choices, el, signal);
  draw(h(App, { view }), el);
  signal.addEventListener("abort", () => draw(null, el), { once: true });
  session.greet(signal);
}

function open(model: Model, until: AbortSignal): Opened {
  const session = new Session(model, until);
  const made = { session, choices: new Choices(model, session.store, until) };
  opened.set(key(model), made);
  until.addEventListener("abort", () => opened.delete(key(model)), { once: true });
  return made;
}

function key(model: Model): string {
  return String(model.get("_session"));
}

export default { initialize, render };
