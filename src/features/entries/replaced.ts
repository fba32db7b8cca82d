import type { Replaced } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import type { KindAndPosition } from '../../../supabase/functions/_shared/parts/kinds.ts'
import { backendAtom } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'

export type { Replaced }

/** Parts to put on a bike on a day: by the ids of their items, or a new one, whose name says what it is unless its kind does. */
export type Asked = { gear_id: number; day: Day } & (
  | { items: number[] }
  | ({ name: string; type?: string } & Partial<KindAndPosition>)
)

/** The parts that these would replace on the bike. */
export const replacedAtom = (asked: Asked) => replacedByKeyAtom(JSON.stringify(asked))

const replacedByKeyAtom = weakFamily((key: string) => {
  const asked = JSON.parse(key) as Asked
  // Not read again after the write that it is for.
  return resourceAtom({ reads: [] }, async (get, { signal }) => {
    const { items } = await callSql(
      get(backendAtom).client,
      'replaced_parts',
      await questionOf(asked),
      signal,
    )
    return items
  })
})

async function questionOf(asked: Asked) {
  if ('items' in asked) return asked
  const { gear_id, day, name, type = null, kind, position } = asked
  const { proposeKind } = await import('../../../supabase/functions/_shared/parts/propose.ts')
  const what = kind === undefined ? proposeKind({ name, type, earlier: [] }) : { kind, position }
  return {
    gear_id,
    day,
    ...(what.kind && { kind: what.kind }),
    ...(what.position && { position: what.position }),
  }
}
