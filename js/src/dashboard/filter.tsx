// A box for a regular expression, which says when it is none.

interface Props {
  readonly label: string;
  readonly text: string;
  readonly error: string | null;
  onText(text: string): void;
}

export function FilterBox({ label, text, error, onText }: Props) {
  return (
    <span class="tbwidget-filter-box">
      <input
        type="search"
        class="tbwidget-filter"
        placeholder={label}
        aria-label={label}
        aria-invalid={error !== null}
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {error !== null && (
        <span class="tbwidget-filter-error" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}
