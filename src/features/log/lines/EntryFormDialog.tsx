import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'

import { FormDialog } from '../../../components/FormDialog.tsx'
import type { Form } from '../../../components/use-form.ts'
import { HeldFormats, quote } from '../../../lib/formats.ts'
import { type FieldsForm, FormField } from '../../editors/FormField.tsx'
import { draftedFieldsAtom } from '../../entries/drafts.ts'
import { type EntryForm, fieldsOf } from '../../entries/entry-form.ts'
import type { Field, Item } from '../../entries/fields.ts'
import { jumpToAtom } from '../../entries/jump.ts'
import { closeFormAtom } from '../../entries/open-item.ts'
import { tasksOfPartAtom } from '../../service/atoms.ts'
import { useNewEntry } from '../actions/new-entry.ts'
import { PartKind } from '../actions/PartKind.tsx'
import { ReasonSelect } from '../actions/ReasonSelect.tsx'
import { useReplacement } from '../actions/replacement.ts'
import { Replaces } from '../actions/Replaces.tsx'
import styles from './EntryDialog.module.css'
import { inDialogOrder } from './order.ts'

export function NewEntryDialog({ bikeId }: { bikeId: number }) {
  const store = useStore()
  const added = useRef<number>(undefined)
  const onAdded = (id: number) => void (added.current = id)
  const { form, kind, off } = useNewEntry(bikeId, { isCovered: true, onAdded })
  const jumpTo = useSetAtom(jumpToAtom)
  const close = useClose(form)
  const submit = async () => {
    const problem = await form.submit()
    if (problem !== null) return problem
    // Text typed during the request belongs to the next entry.
    if (store.get(draftedFieldsAtom(bikeId)).has('new')) return ''
    close()
    if (added.current !== undefined) jumpTo(added.current)
    return null
  }
  return (
    <EntryDialog
      title="New log entry"
      entry={{ bikeId }}
      form={{ ...form, submit }}
      focused="name"
      command="add_item"
      belowName={<PartKind {...kind} />}
      onClose={close}
    >
      <Replaces {...off} />
    </EntryDialog>
  )
}

export function ReplaceDialog({ item }: { item: Item }) {
  const { form, kind, reason, giveReason } = useReplacement(item)
  const close = useClose(form)
  return (
    // A replacement mostly differs in its cost.
    <EntryDialog
      title={`Replace ${item.name}`}
      entry={{ bikeId: item.bikeId, replaced: item }}
      form={form}
      focused="cost"
      command="change_parts"
      belowName={<PartKind {...kind} />}
      onClose={close}
    >
      <ReasonSelect label="Why it came off" value={reason} onChange={giveReason} />
      <Follows item={item} />
    </EntryDialog>
  )
}

/** Says what a replacement does besides adding the new part. */
function Follows({ item }: { item: Item }) {
  const tasks = useAtomValue(tasksOfPartAtom(item.part_id)).map(({ name }) => quote(name))
  const goOn =
    tasks.length === 0
      ? ''
      : ` ${tasks.join(', ')} ${tasks.length === 1 ? 'goes' : 'go'} on with the new part.`
  return <p className="note">{`${quote(item.name)} ends on the start day.${goOn}`}</p>
}

function useClose({ discard }: { discard: () => void }) {
  const closeForm = useSetAtom(closeFormAtom)
  return () => {
    discard()
    closeForm()
  }
}

type Props = {
  title: string
  entry: EntryForm
  form: Form & FieldsForm
  /** The field that has the focus first. */
  focused: Field
  command: 'add_item' | 'change_parts'
  belowName?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** The form of an entry that isn't stored yet. */
function EntryDialog({ title, entry, form, focused, command, belowName, onClose, children }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const input = fields.current?.querySelector<HTMLInputElement>(`[data-field="${focused}"] input`)
    input?.focus()
    input?.select()
  }, [focused])
  return (
    <FormDialog title={title} label="SAVE" command={command} form={form} isPage onClose={onClose}>
      {/* A draft follows the formats, as in the table. */}
      <HeldFormats value={null}>
        <div ref={fields} className={styles.fields} data-wide>
          {inDialogOrder(fieldsOf(entry)).map((field) => (
            <Fragment key={field}>
              <FormField
                as="div"
                form={form}
                bikeId={entry.bikeId}
                field={field}
                onSave={() => fields.current?.closest('form')?.requestSubmit()}
              />
              {field === 'name' && belowName}
            </Fragment>
          ))}
          {children}
        </div>
      </HeldFormats>
    </FormDialog>
  )
}
