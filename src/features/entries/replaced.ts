import type { Replaced } from '../../../supabase/functions/_shared/contracts/data-api.ts'
import type { PartKind, Position } from '../../../supabase/functions/_shared/kinds.ts'
import { backendAtom } from '../../lib/backend.ts'
import type { Day } from '../../lib/days.ts'
import { callSql } from '../../lib/functions.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { weakFamily } from '../../lib/weak-family.ts'

export type { Replaced }

/** Parts to put on a bike on a day: by the ids of their items, or a new one by what it is. */
export type Asked = { gear_id: number; day: Day } & (
  | { items: number[] }
  | { kind: PartKind; position: Position | null }
)

/** The parts that these would replace on the bike. */
export const replacedAtom = (asked: Asked) => replacedByKeyAtom(JSON.stringify(asked))

const replacedByKeyAtom = weakFamily((key: string) => {
  const asked = JSON.parse(key) as Asked
  // Not read again after the write that it is for.
  return resourceAtom({ reads: [] }, async (get, { signal }) => {
    const { position, ...question } = { position: null, ...asked }
    const { client } = get(backendAtom)
    const args = { ...question, ...(position !== null && { at_end: position }) }
    const { items } = await callSql(client, 'replaced_parts', args, signal)
    return items
  })
})
