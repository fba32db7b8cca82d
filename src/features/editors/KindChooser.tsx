import { type ReactNode, useState } from 'react'

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

type ButtonProps = {
  value: KindAndPosition
  /** Whether the value was proposed, so it isn't what the owner chose. */
  isProposed?: boolean
  /** The part, if several parts are listed. */
  of?: string
  /** The props of `useReadOnly`, if the panel saves. */
  readOnly?: ReturnType<typeof useReadOnly>
  children: (close: () => void) => ReactNode
}

/** A button that says what a part is and where, and opens a panel to change it. */
export function KindButton({ value, isProposed = false, of, readOnly, children }: ButtonProps) {
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
      {children}
    </PopoverButton>
  )
}

type ChoiceProps = {
  value: KindAndPosition
  /** Whether the end is asked beside the button, so the panel doesn't. */
  isEndAsked?: boolean
  onChange: (value: KindAndPosition) => void
}

/** A button that says what a form's part is and where, and opens a panel to choose it. */
export function KindChooser(props: ChoiceProps & Omit<ButtonProps, 'children' | 'readOnly'>) {
  return <KindButton {...props}>{(close) => <KindPanel {...props} onChosen={close} />}</KindButton>
}

type PanelProps = ChoiceProps & {
  /** Called when there is nothing more to ask. */
  onChosen?: () => void
  /** What follows the list. */
  children?: ReactNode
}

/** Lists the kinds to choose from, and asks for the end. */
export function KindPanel({ value, isEndAsked = false, onChange, onChosen, children }: PanelProps) {
  const [text, setText] = useState('')
  const [first] = useState(value.kind)
  const matches = matcher(text)
  const found = KIND_NAMES.filter((kind) => matches(fold(kind))).toSorted(
    (a, b) => Number(b === first) - Number(a === first),
  )
  const choose = (kind: PartKind | null) => {
    const position = hasEnds(kind) ? value.position : null
    onChange({ kind, position })
    if (isEndAsked || !hasEnds(kind) || position !== null) onChosen?.()
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
      {children}
    </div>
  )
}

/** Asks at which end a part is. Renders nothing for kinds without ends. */
export function WhichEnd({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
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
