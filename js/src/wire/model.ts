// The part of anywidget's front-end module interface that is used here.

export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: "msg:custom", callback: (content: unknown, buffers: DataView[]) => void): void;
  on(event: `change:${string}`, callback: () => void): void;
  off(event: string, callback?: unknown): void;
  /** Only some hosts have one. */
  readonly widget_manager?: { get_model?(id: string): Promise<unknown> };
}

export interface InitializeProps {
  readonly model: Model;
  readonly signal: AbortSignal;
}

export interface RenderProps extends InitializeProps {
  readonly el: HTMLElement;
}
