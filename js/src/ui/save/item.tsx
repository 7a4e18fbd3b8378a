// A line of a menu that saves: one target.

interface ItemProps {
  readonly name: string;
  readonly title?: string;
  readonly disabled?: boolean;
  chosen(): void;
}

export function Item({ name, title, disabled = false, chosen }: ItemProps) {
  return (
    <li>
      <button type="button" title={title} disabled={disabled} onClick={chosen}>
        {name}
      </button>
    </li>
  );
}
