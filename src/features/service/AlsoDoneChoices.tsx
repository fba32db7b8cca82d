import { useAtomValue } from 'jotai'

import { Choices, toggle } from '../../components/Choices.tsx'
import { useFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { AlsoDone } from './also-done.ts'
import { formatPlace, stateMessage } from './task-messages.ts'

type Props = {
  others: readonly AlsoDone[]
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
}

/** Offers the tasks that may have been done at the same time: the same work by its part, other work by its name. */
export function AlsoDoneChoices({ others, chosen, onChange }: Props) {
  const formats = useFormats()
  const bikeName = useAtomValue(bikeNameAtom)
  return (
    <Choices
      legend="Also done"
      options={others.map(({ task, why }) => ({
        value: task.id,
        label: why === 'same' ? formatPlace({ task, others: [] }, bikeName) : task.name,
        note: (
          <span className="note" data-state={task.state}>
            {stateMessage(task, formats)}
          </span>
        ),
      }))}
      chosen={chosen}
      onToggle={(id) => onChange(toggle(chosen, id))}
    />
  )
}
