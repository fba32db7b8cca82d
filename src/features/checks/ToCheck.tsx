import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { useLostFocus } from '../../components/lost-focus.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { Section } from '../../components/Section.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { formatCount, useFormats } from '../../lib/formats.ts'
import { bikeNameAtom, bikesAtom } from '../bikes/atoms.ts'
import type { Line } from '../../../supabase/functions/to-check/contract.ts'
import { checksAtom, dismissAtom } from './atoms.ts'
import styles from './ToCheck.module.css'
import { messageOf } from '../../../supabase/functions/_shared/messages/check-messages.ts'
import { GROUPS, linksOf } from './check-links.ts'

const KindsDialog = lazyDialog(() => import('./KindsDialog.tsx'))

/** Lists problems in the rides and the log. Renders nothing if there are none. */
export function ToCheck() {
  const checks = useAtomValue(checksAtom)
  const reload = useSetAtom(checksAtom.reloadAtom)
  const list = useRef<HTMLDivElement>(null)
  const [isComplete, setComplete] = useState(false)
  // Only move focus to the list after a dismissal, which removes the focused button.
  const wasDismissed = useRef(false)
  useLostFocus(checks.state === 'ready' ? checks.data : null, () =>
    wasDismissed.current ? list.current?.querySelector('button') : null,
  )
  if (checks.state === 'loading') return null
  if (checks.state === 'failed') {
    return (
      <Section heading="To check">
        <Failure what="To check could not be loaded." error={checks.error} retry={reload} />
      </Section>
    )
  }
  const { lines, left_out } = checks.data
  if (lines.length === 0) return null
  const sorted = GROUPS.flatMap(({ kinds }) =>
    kinds.flatMap((one) => lines.filter(({ kind }) => kind === one)),
  )
  const shown = isComplete ? sorted : sorted.slice(0, SHOWN_AT_FIRST)
  return (
    <Section heading="To check" aside={<span className="note">{formatCount(lines.length + left_out)}</span>}>
      <div ref={list} className={styles.list} aria-busy={checks.updating}>
        {GROUPS.map(({ heading, kinds }) => (
          <Group
            key={heading}
            heading={heading}
            lines={shown.filter(({ kind }) => kinds.includes(kind))}
            onDismiss={() => {
              wasDismissed.current = true
            }}
          />
        ))}
        {shown.length < sorted.length && (
          <button type="button" className="link show-all" onClick={() => setComplete(true)}>
            {`Show all ${formatCount(sorted.length)}`}
          </button>
        )}
      </div>
      {isComplete && left_out > 0 && <p className="note">{`And ${formatCount(left_out)} more`}</p>}
    </Section>
  )
}

const AttachLogDialog = lazyDialog(() => import('./AttachLogDialog.tsx'))

const SHOWN_AT_FIRST = 5

type GroupProps = { heading: string; lines: readonly Line[]; onDismiss: () => void }

function Group({ heading, lines, onDismiss }: GroupProps) {
  if (lines.length === 0) return null
  return (
    <section className={styles.group} aria-label={heading}>
      <h4>{heading}</h4>
      <ul className="list">
        {lines.map((line) => (
          <CheckLine key={line.key} line={line} onDismiss={onDismiss} />
        ))}
      </ul>
    </section>
  )
}

function CheckLine({ line, onDismiss }: { line: Line; onDismiss: () => void }) {
  const formats = useFormats()
  const bikes = useAtomValue(bikesAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const dismiss = useSetAtom(dismissAtom)
  const [isAttaching, setAttaching] = useState(false)
  const readOnly = useReadOnly()
  const formerBike = line.kind === 'parts_in_use' || line.kind === 'gone_log' ? line.gear_id : null
  const [isAsking, setAsking] = useState(false)
  const { title, why } = messageOf(line, { formats, bikeName })
  const links = linksOf(line, rwgpsUrl, bikes.state === 'ready' ? bikes.data[0]?.gear_id : undefined)
  return (
    <li className="list-row">
      <p>{title}</p>
      <p className="tiny">{why}</p>
      <span className="row-end">
        <button
          type="button"
          className={`quiet ${styles.dismiss}`}
          {...readOnly}
          aria-label={`Dismiss: ${title}`}
          onClick={() => {
            onDismiss()
            void dismiss(line.key, title)
          }}
        >
          Dismiss
        </button>
        {formerBike !== null && (
          <button
            type="button"
            {...readOnly}
            onClick={() => {
              onDismiss()
              setAttaching(true)
            }}
          >
            This bike is now …
          </button>
        )}
        {isAttaching && formerBike !== null && (
          <AttachLogDialog from={formerBike} onClose={() => setAttaching(false)} />
        )}
        {line.kind === 'no_kind' && (
          <button type="button" {...readOnly} onClick={() => setAsking(true)}>
            Choose kinds…
          </button>
        )}
        {links.map(({ href, name, isOutside }, index) => (
          <a
            key={href}
            href={href}
            className="button"
            aria-label={`${labelOf(index, links.length)}: ${name}${isOutside ? ', on Ride with GPS' : ''}`}
            {...(isOutside && { target: '_blank', rel: 'noopener' })}
          >
            {labelOf(index, links.length)}
          </a>
        ))}
      </span>
      {isAsking && line.kind === 'no_kind' && (
        <KindsDialog partIds={line.part_ids} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

const labelOf = (index: number, count: number) =>
  count === 1 ? 'Open' : index === 0 ? 'Open first' : 'Open second'
