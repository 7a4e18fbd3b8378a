// A line of a menu that saves: one target.

interface ItemProps {
  readonly name: string;
  readonly disabled?: boolean;
  chosen(): void;
}

export function Item({ name, disabled = false, chosen }: ItemProps) {
  return (
    <li>
      <button type="button" disabled={disabled} onClick={chosen}>
        {name}
      </button>
    </li>
  );
}
