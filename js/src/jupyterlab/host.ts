// The parts of JupyterLab's and Lumino's public interfaces that are used here. The page brings the code: an extension that
// carried its own would have classes that the page does not know.

import type { HostKernel } from "../wire/hostkernel";

export interface Signal<T> {
  connect(slot: (sender: unknown, args: T) => void): boolean;
  disconnect(slot: (sender: unknown, args: T) => void): boolean;
}

/** A message of Jupyter's protocol, as far as comms have one. */
export interface Message {
  readonly header: { readonly msg_type: string };
  readonly parent_header: { readonly msg_id?: string; readonly session?: string };
  readonly content: Readonly<Record<string, unknown>>;
  readonly buffers?: readonly (ArrayBuffer | ArrayBufferView)[];
}

export interface Future {
  readonly done: Promise<{ readonly content: Readonly<Record<string, unknown>> }>;
}

export interface Kernel extends HostKernel {
  readonly clientId: string;
  readonly username: string;
  /** Comes once the kernel has answered on its main channel, which it does not while a cell runs. */
  readonly info: Promise<unknown>;
  sendShellMessage(message: unknown, expectReply?: boolean): unknown;
  sendControlMessage(message: unknown, expectReply?: boolean): Future;
}

export interface SessionContext {
  /** The notebook's path on its server. */
  readonly path: string;
  readonly ready: Promise<void>;
  readonly session: { readonly kernel: Kernel | null } | null;
  readonly iopubMessage: Signal<Message>;
  readonly statusChanged: Signal<string>;
  readonly kernelChanged: Signal<{ readonly oldValue: Kernel | null }>;
}

export interface MimeModel {
  readonly data: Readonly<Record<string, unknown>>;
  setData(options: { readonly data: Readonly<Record<string, unknown>> }): void;
}

export interface LuminoWidget {
  readonly node: HTMLElement;
  readonly isDisposed: boolean;
  readonly disposed: Signal<undefined>;
  hide(): void;
  show(): void;
  dispose(): void;
}

export interface LuminoPanel extends LuminoWidget {
  children(): Iterable<LuminoWidget>;
  addWidget(widget: LuminoWidget): void;
}

/** The module `@lumino/widgets` of the page. */
export interface Lumino {
  readonly Widget: new (options: { readonly node: HTMLElement }) => LuminoWidget;
  readonly Panel: new () => LuminoPanel;
}

export interface Renderer extends LuminoWidget {
  renderModel(model: MimeModel): Promise<void>;
}

export interface RendererFactory {
  readonly safe: boolean;
  readonly mimeTypes: readonly string[];
  createRenderer(options: { readonly mimeType: string }): Renderer;
}

export interface RenderMime {
  addFactory(factory: RendererFactory, rank: number): void;
  getFactory(mimeType: string): RendererFactory | undefined;
}

export interface NotebookPanel {
  readonly sessionContext: SessionContext;
  readonly content: { readonly rendermime: RenderMime };
  readonly disposed: Signal<undefined>;
}
