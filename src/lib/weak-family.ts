import type { Atom } from 'jotai'

/**
 * Like `atomFamily`, but an atom that nothing uses is garbage collected with its value. Use it for values that can be
 * computed or read again.
 */
export function weakFamily<Param, One extends Atom<unknown>>(
  create: (param: Param) => One,
): (param: Param) => One {
  const atoms = new Map<Param, WeakRef<One>>()
  const collected = new FinalizationRegistry<Param>((param) => {
    if (!atoms.get(param)?.deref()) atoms.delete(param)
  })
  return (param) => {
    const known = atoms.get(param)?.deref()
    if (known) return known
    const created = create(param)
    atoms.set(param, new WeakRef(created))
    collected.register(created, param)
    return created
  }
}
