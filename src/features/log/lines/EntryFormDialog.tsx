import { atom, useAtom, useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'

import { FormDialog } from '../../../components/FormDialog.tsx'
import { HeldFormats } from '../../../lib/formats.ts'
import { addEntryAtom } from '../actions/add.ts'
import { Replaces, useReplaced } from '../actions/Replaces.tsx'
import { ReasonSelect } from '../actions/ReasonSelect.tsx'
import { reasonAtom, replaceAtom } from '../actions/replace.ts'
import { discardFormAtom, type EntryForm, fieldsOf, hasFormDraft } from '../../entries/entry-form.ts'
import type { Field, Item } from '../../entries/fields.ts'
import { jumpToAtom } from '../../entries/jump.ts'
import { closeFormAtom } from '../../entries/open-item.ts'
import { FormField } from '../../editors/FormField.tsx'
import styles from './EntryDialog.module.css'
import { inDialogOrder } from './order.ts'

/** The form of a new entry or, filled in, of an item's replacement. */
export function EntryFormDialog({ form }: { form: EntryForm }) {
  const { bikeId, replaced } = form
  const fields = useRef<HTMLDivElement>(null)
  const store = useStore()
  const isChangedAtom = useMemo(
    () => atom((get) => hasFormDraft(get, { bikeId, replaced })),
    [bikeId, replaced],
  )
  const isChanged = useAtomValue(isChangedAtom)
  const insert = useSetAtom(addEntryAtom)
  const off = useReplaced(form)
  const replace = useSetAtom(replaceAtom)
  const jumpTo = useSetAtom(jumpToAtom)
  const discard = useSetAtom(discardFormAtom)
  const closeForm = useSetAtom(closeFormAtom)
  const [isNameRequested, setNameRequested] = useState(false)
  const isReplacing = replaced !== undefined

  // A replacement mostly differs in its cost.
  useEffect(() => focusField(fields.current, isReplacing ? 'cost' : 'name'), [isReplacing])

  const close = () => {
    discard(form)
    closeForm()
  }
  const save = async () => {
    const added: number[] = []
    const onAdded = (id: number) => added.push(id)
    const result = await (replaced
      ? replace(replaced)
      : insert(bikeId, { replaced: off.ended, isCovered: true, onAdded }))
    setNameRequested(result === 'nameless')
    if (result === 'nameless') focusField(fields.current, 'name')
    // What was typed during the request belongs to the next entry.
    if (result !== 'saved' || store.get(isChangedAtom)) return ''
    close()
    for (const id of added) jumpTo(id)
    return null
  }
  return (
    <FormDialog
      title={replaced ? `Replace ${replaced.name}` : 'New log entry'}
      label="SAVE"
      {...(!replaced && { command: 'add_item' })}
      form={{ isChanged, submit: save }}
      isPage
      onClose={close}
    >
      {/* A draft follows the formats, as in the table. */}
      <HeldFormats value={null}>
        <div ref={fields} className={styles.fields} data-wide>
          {inDialogOrder(fieldsOf(form)).map((field) => (
            <FormField
              key={field}
              as="div"
              form={form}
              field={field}
              isNameRequested={isNameRequested}
              onSave={() => fields.current?.closest('form')?.requestSubmit()}
            />
          ))}
          {replaced ? <ReasonField item={replaced} /> : <Replaces {...off} />}
        </div>
      </HeldFormats>
    </FormDialog>
  )
}

function focusField(fields: HTMLElement | null, field: Field): void {
  const input = fields?.querySelector<HTMLInputElement>(`[data-field="${field}"] input`)
  input?.focus()
  input?.select()
}

function ReasonField({ item }: { item: Item }) {
  const [reason, choose] = useAtom(reasonAtom(item.id))
  return <ReasonSelect label="Why it came off" value={reason} onChange={choose} />
}
