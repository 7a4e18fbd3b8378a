// The widget's front-end module: anywidget calls `initialize` once a model and `render` once a view.

import { render as draw, h } from "preact";
import { App } from "./dashboard/app";
import { createView } from "./dashboard/view";
import "./dashboard/base.css";
import "./dashboard/header.css";
import "./dashboard/runs.css";
import "./dashboard/main.css";
import "./panels/scalars/scalars.css";
import type { InitializeProps, Model, RenderProps } from "./wire/model";
import { Session } from "./wire/session";

/** By the model's own key: models handed to `initialize` and to `render` need not be the same object. */
const sessions = new Map<string, Session>();

function initialize({ model, signal }: InitializeProps): void {
  open(model, signal);
}

function render({ model, el, signal }: RenderProps): void {
  const session = sessions.get(key(model)) ?? open(model, signal);
  const view = createView(session, el, signal);
  draw(h(App, { view }), el);
  signal.addEventListener("abort", () => draw(null, el), { once: true });
  session.greet();
}

function open(model: Model, until: AbortSignal): Session {
  const session = new Session(model, until);
  sessions.set(key(model), session);
  until.addEventListener("abort", () => sessions.delete(key(model)), { once: true });
  return session;
}

function key(model: Model): string {
  return String(model.get("_session"));
}

export default { initialize, render };
