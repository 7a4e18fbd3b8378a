// A line of a menu that saves: one target.

interface ItemProps {
  readonly name: string;
  readonly title?: string;
  readonly disabled?: boolean;
  /** The action of the palette that presses it. */
  readonly action?: string | undefined;
  chosen(): void;
}

export function Item({ name, title, disabled = false, action, chosen }: ItemProps) {
  return (
    <li>
      <button type="button" title={title} disabled={disabled} data-action={action} onClick={chosen}>
        {name}
      </button>
    </li>
  );
}
