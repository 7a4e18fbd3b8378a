// Connected components of elements that pairs join.

/** Connected components by union-find, after `a[i]` and `b[i]` are joined: each element gets its component's smallest. */
export function connectedComponents(count: number, a: ArrayLike<number>, b: ArrayLike<number>): Int32Array {
  const root = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    root[i] = i;
  }
  const find = (i: number): number => {
    let at = i;
    while (root[at] !== at) {
      root[at] = root[root[at] as number] as number;
      at = root[at] as number;
    }
    return at;
  };
  for (let i = 0; i < a.length; i++) {
    const one = find(a[i] as number);
    const other = find(b[i] as number);
    root[Math.max(one, other)] = Math.min(one, other);
  }
  for (let i = 0; i < count; i++) {
    root[i] = find(i);
  }
  return root;
}
