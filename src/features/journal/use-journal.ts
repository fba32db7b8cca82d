import { useSetAtom } from 'jotai'

import type { Journal } from '../../components/use-form.ts'
import { useHeldFormats } from '../../lib/formats.ts'
import type { Change } from './api.ts'
import { differences } from '../../../supabase/functions/_shared/messages/change-messages.ts'
import { undoAtom } from './mutate.ts'

/** Returns what a form that writes a relation's rows needs of the journal. */
export function useJournal(relation: Change['relation']): Journal {
  const formats = useHeldFormats()
  const undo = useSetAtom(undoAtom)
  return { undo, differences: (from, to) => differences(relation, from, to, formats) }
}
