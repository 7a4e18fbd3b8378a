// The button that shows a card, or a part of one, in the full window.

interface Props {
  readonly label: string;
  /** It fills the window with the whole card. */
  readonly isOfCard?: boolean;
  fill(): void;
}

export function FillButton({ label, isOfCard = true, fill }: Props) {
  return (
    <button
      type="button"
      class="tbwidget-expand"
      title={label}
      aria-haspopup="dialog"
      data-action={isOfCard ? "card.fill" : undefined}
      onClick={fill}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M7.2 1.5h3.3v3.3M4.8 10.5H1.5V7.2M10.2 1.8 7 5M1.8 10.2 5 7" />
      </svg>
    </button>
  );
}
