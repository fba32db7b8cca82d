import { positionBeside } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import type { Item } from './fields.ts'

/** Says beside an entry's name where the part is. Renders nothing if the name says it. */
export function PositionBeside({ item: { name, position } }: { item: Pick<Item, 'name' | 'position'> }) {
  const text = positionBeside(name, position)
  return text === null ? null : <span className="soft">{` ${text}`}</span>
}
