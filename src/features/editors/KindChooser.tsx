import { useState } from 'react'

import { kindText, POSITION_OPTIONS } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import {
  hasEnds,
  KIND_NAMES,
  type KindAndPosition,
  type PartKind,
} from '../../../supabase/functions/_shared/kinds.ts'
import { PopoverButton } from '../../components/PopoverButton.tsx'
import type { useReadOnly } from '../../components/read-only.ts'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { upperFirst } from '../../lib/formats.ts'
import { fold, matcher } from '../../lib/search.ts'
import styles from './KindChooser.module.css'

type Props = {
  value: KindAndPosition
  /** Whether the value was proposed, so it isn't what the owner chose. */
  isProposed?: boolean
  /** Whether the end is asked beside the button, so the panel doesn't. */
  isEndAsked?: boolean
  /** The props of `useReadOnly`, if what is chosen is saved at once. */
  readOnly?: ReturnType<typeof useReadOnly>
  /** The part, if several parts are listed. */
  of?: string
  onChange: (value: KindAndPosition) => void
}

/** A button that says what a part is and where, and opens a panel to change it. */
export function KindChooser({
  value,
  isProposed = false,
  isEndAsked = false,
  readOnly,
  of,
  onChange,
}: Props) {
  const text = kindText(value)
  const name = `Kind${of === undefined ? '' : ` of ${of}`}: ${text ?? 'none'}${isProposed && text !== null ? ', proposed' : ''}. Change`
  return (
    <PopoverButton
      label={text === null ? 'Kind' : upperFirst(text)}
      name={name}
      isProposed={isProposed && text !== null}
      isQuiet={text === null}
      readOnly={readOnly}
    >
      {(close) => <Panel value={value} isEndAsked={isEndAsked} onChange={onChange} onClose={close} />}
    </PopoverButton>
  )
}

type PanelProps = Pick<Props, 'value' | 'onChange'> & { isEndAsked: boolean; onClose: () => void }

function Panel(props: PanelProps) {
  const { isEndAsked, onClose } = props
  // Saving a choice takes a moment.
  const [value, setValue] = useState(props.value)
  const onChange = (now: KindAndPosition) => {
    setValue(now)
    props.onChange(now)
  }
  const [text, setText] = useState('')
  const matches = matcher(text)
  const found = KIND_NAMES.filter((kind) => matches(fold(kind)))
    // The present kind comes first.
    .toSorted((a, b) => Number(b === value.kind) - Number(a === value.kind))
  const choose = (kind: PartKind | null) => {
    const position = hasEnds(kind) ? value.position : null
    onChange({ kind, position })
    // The panel stays open to ask for the end.
    if (isEndAsked || !hasEnds(kind) || position !== null) onClose()
  }
  return (
    <div className={styles.panel}>
      {!isEndAsked && <WhichEnd value={value} onChange={onChange} />}
      <input
        type="search"
        aria-label="Find a kind"
        placeholder="Find a kind"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul className={styles.kinds} aria-label="Kinds">
        {found.map((kind) => (
          <Choice
            key={kind}
            label={upperFirst(kind)}
            isChosen={kind === value.kind}
            onChoose={() => choose(kind)}
          />
        ))}
        <Choice label="No kind" isChosen={value.kind === null} onChoose={() => choose(null)} />
      </ul>
    </div>
  )
}

/** Asks at which end a part is. Renders nothing for kinds without ends. */
export function WhichEnd({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  if (!hasEnds(value.kind)) return null
  return (
    <SegmentedControl
      legend="Which end?"
      options={POSITION_OPTIONS}
      value={value.position}
      onChange={(position) => onChange({ ...value, position })}
    />
  )
}

function Choice({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <button type="button" className="quiet" aria-pressed={isChosen} onClick={onChoose}>
        {label}
      </button>
    </li>
  )
}
