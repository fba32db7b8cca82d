import { useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { CostEditor, DateEditor, TextEditor, TypeEditor } from './editors.tsx'
import styles from './LogTable.module.css'
import { hasNewDraftAtom, insertAtom, insertingAtom } from './new-item.ts'
import { useNewCell } from './use-new-cell.ts'

const NAME_NEEDED = { status: 'invalid', reason: 'Enter a name first.' } as const

type Props = { bikeId: number; row: RefObject<HTMLTableRowElement | null> }

/** The line for a new record; one SAVE, or Enter in any of its fields, inserts it. */
export function NewRow({ bikeId, row }: Props) {
  const insert = useSetAtom(insertAtom)
  const hasDraft = useAtomValue(hasNewDraftAtom(bikeId))
  const isInserting = useAtomValue(insertingAtom)
  const readOnly = useReadOnly()
  const [isNameMissed, setNameMissed] = useState(false)

  const focus = (selector: string) => row.current?.querySelector<HTMLElement>(selector)?.focus()
  const add = async () => {
    // SAVE goes with the drafts; the next record begins with its name.
    focus('input')
    const outcome = await insert(bikeId)
    setNameMissed(outcome === 'nameless')
    if (outcome === 'invalid') focus('[aria-invalid=true]')
  }
  const name = useNewCell(bikeId, 'name', () => void add())
  const type = useNewCell(bikeId, 'type', () => void add())
  const description = useNewCell(bikeId, 'description', () => void add())
  const cost = useNewCell(bikeId, 'cost', () => void add())
  const start = useNewCell(bikeId, 'dateStarted', () => void add())
  const end = useNewCell(bikeId, 'dateEnded', () => void add())
  const isNameless = isNameMissed && name.text.trim() === ''

  return (
    <tr ref={row} className={styles.newRow} aria-busy={isInserting}>
      <TypeEditor model={type} hasSave={false} />
      <TextEditor
        model={isNameless ? { ...name, verdict: NAME_NEEDED } : name}
        hasSave={false}
        placeholder="+ Add New Maintenance"
      />
      <TextEditor model={description} hasSave={false} />
      <CostEditor model={cost} hasSave={false} />
      <DateEditor model={start} hasSave={false} placeholder="Today" />
      <DateEditor model={end} hasSave={false} clearLabel="Clear End" />
      <td colSpan={2} />
      <td className={styles.action}>
        {hasDraft && (
          <button
            type="button"
            className="primary"
            {...readOnly}
            aria-disabled={isInserting}
            onClick={() => void add()}
          >
            SAVE
          </button>
        )}
      </td>
    </tr>
  )
}
