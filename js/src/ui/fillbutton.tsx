// The button that shows a card, or a part of one, in the full window.

interface Props {
  readonly label: string;
  /** The action that presses it; by default, the one that fills the window with the card. */
  readonly action?: string;
  fill(): void;
}

export function FillButton({ label, action = "card.fill", fill }: Props) {
  return (
    <button
      type="button"
      class="tbwidget-expand"
      title={label}
      aria-haspopup="dialog"
      data-action={action}
      onClick={fill}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M7.2 1.5h3.3v3.3M4.8 10.5H1.5V7.2M10.2 1.8 7 5M1.8 10.2 5 7" />
      </svg>
    </button>
  );
}
