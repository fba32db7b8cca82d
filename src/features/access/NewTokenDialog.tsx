import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'

import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { createToken } from '../../../supabase/functions/_shared/http/tokens.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useForm } from '../../components/use-form.ts'
import { backendAtom } from '../../lib/backend.ts'
import { textKind } from '../../lib/field-kinds.ts'
import { choiceKind } from '../../lib/forms.ts'
import styles from './NewTokenDialog.module.css'
import { commandFor, createTokenAtom, SCOPES } from './tokens.ts'

const OPTIONS = (['read', 'read and write'] as const).map((value) => ({ value, label: SCOPES[value] }))

const EXPIRES = [
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
]

type Props = { onClose: () => void }

/** Makes a token and shows it, the only time that anybody can see it. */
export function NewTokenDialog({ onClose }: Props) {
  // Made before it is sent, so a retry after a lost response makes no second token.
  const [token] = useState(createToken)
  const isCreated = useRef(false)
  const [isShown, setShown] = useState(false)
  if (isShown) return <CreatedDialog token={token} onClose={onClose} />
  return (
    <TokenForm
      token={token}
      onCreated={() => (isCreated.current = true)}
      onClose={() => (isCreated.current ? setShown(true) : onClose())}
    />
  )
}

function TokenForm({ token, onCreated, onClose }: Props & { token: string; onCreated: () => void }) {
  const create = useSetAtom(createTokenAtom)
  const form = useForm({
    fields: {
      name: textKind(MAX_LENGTH.access_tokens.name, 'a name, such as the software that will use it'),
      scope: choiceKind<'read' | 'read and write'>(),
      days: choiceKind<string>(),
    },
    inputs: { scope: 'read', days: '90' },
    async save({ days, ...values }) {
      await create({ token, ...values, days: days === '' ? null : Number(days) })
      onCreated()
    },
    outcome: () => ({ subject: 'The token', done: 'created' }),
  })
  return (
    <FormDialog title="New token" label="Create" form={form} onClose={onClose}>
      <TextField
        label="Name"
        placeholder="Home Assistant"
        maxLength={MAX_LENGTH.access_tokens.name}
        {...form.field('name')}
      />
      <SegmentedControl legend="Access" options={OPTIONS} {...form.field('scope')} />
      <SelectField label="Expires" options={EXPIRES} {...form.field('days')} />
    </FormDialog>
  )
}

function CreatedDialog({ token, onClose }: Props & { token: string }) {
  const { config } = useAtomValue(backendAtom)
  return (
    <Dialog title="New token" onClose={onClose}>
      <div className="stack">
        <p>Copy the token now, because it is only shown once.</p>
        <Copied label="Copy" text={token} />
        <p>To try it, run:</p>
        <Copied label="Copy command" text={commandFor(config, token)} />
        <p className="note">
          Whoever has the token can use it until it expires or you revoke it. It can’t change your password or
          tokens, or export your data.
        </p>
      </div>
    </Dialog>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  const code = useRef<HTMLElement>(null)
  const [status, setStatus] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('Copied')
    } catch {
      // Without https, pages can't write to the clipboard.
      window.getSelection()?.selectAllChildren(code.current!)
      setStatus('Selected, so you can copy it')
    }
  }
  return (
    <div className={styles.copied}>
      <code ref={code}>{text}</code>
      <span role="status" className="note">
        {status}
      </span>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
    </div>
  )
}
