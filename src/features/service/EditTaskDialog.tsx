import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { columnsByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { Choices } from '../../components/Choices.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useForm } from '../../components/use-form.ts'
import { todayAtom } from '../../lib/clock.ts'
import { choiceKind } from '../../lib/forms.ts'
import { quote, useHeldFormats } from '../../lib/formats.ts'
import { useJournal } from '../journal/use-journal.ts'
import type { Task } from './api.ts'
import { knownTasksAtom } from './atoms.ts'
import { editTaskAtom, removeTaskAtom } from './edits.ts'
import { checkTask, taskFields } from './form.ts'
import { GroupChoice } from './GroupChoice.tsx'
import { TaskFields } from './TaskFields.tsx'

export function EditTaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  const edit = useSetAtom(editTaskAtom)
  const remove = useSetAtom(removeTaskAtom)
  const count = useAtomValue(knownTasksAtom).filter(
    ({ group }) => group !== null && group === task.group,
  ).length
  const [isOfAll, setOfAll] = useState(true)
  const form = useForm({
    fields: { ...taskFields(formats, today), group: choiceKind<number | null>() },
    shown: {
      name: task.name,
      kind: task.kind,
      outdoor_only: task.outdoor_only,
      ...columnsByAxis((axis) => task.every[axis]),
      due_on: task.due_on,
      with_task: task.with_task,
      group: task.group,
    },
    check: checkTask,
    save: (_task, { key, ...change }) => edit(task, change, count > 1 && isOfAll, key),
    outcome: () => ({ subject: quote(task.name), done: 'saved' }),
    journal: useJournal('service_tasks'),
  })
  const group = form.field('group')
  return (
    <FormDialog
      title="Edit service task"
      lead={task.item_name ?? undefined}
      label="Save task"
      command="edit_row"
      remove={{ label: 'Remove task', run: () => void remove(task, count > 1 && isOfAll) }}
      form={form}
      onClose={onClose}
    >
      <GroupChoice
        count={count}
        value={isOfAll}
        onChange={(all) => {
          setOfAll(all)
          group.onChange(task.group)
        }}
      />
      {count > 1 && !isOfAll && (
        <Choices
          legend="With the others"
          options={[{ value: 'group', label: `One line and one Done with the other ${count - 1}` }]}
          chosen={group.value === null ? [] : ['group']}
          onToggle={() => group.onChange(group.value === null ? task.group : null)}
        />
      )}
      <TaskFields field={form.field} bikeId={task.gear_id} once={task.once} task={task} />
    </FormDialog>
  )
}
