import { useAtomValue, useSetAtom } from 'jotai'

import { limitName } from '../../../supabase/functions/_shared/messages/wear-limits.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { todayAtom } from '../../lib/clock.ts'
import { useFormats } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { detailsHref } from '../entries/links.ts'
import { openFormOfAtom } from './actions.ts'
import type { Limit } from './api.ts'
import { limitIdOf, limitMessage } from './limits.ts'
import { type Look, SplitButton } from './SplitButton.tsx'
import styles from './TaskList.module.css'
import upcoming from './Upcoming.module.css'
import { whenText } from './upcoming.ts'

/** A measured part at its limit, in Due. */
export function DueLimit({ limit }: { limit: Limit }) {
  const formats = useFormats()
  const bikeName = useAtomValue(bikeNameAtom)
  return (
    <li className="list-row">
      <LimitTitle limit={limit} className={`row-title soft ${styles.what}`} />
      <p className={`note ${styles.where}`}>
        <span>{bikeName(limit.gear_id)}</span>{' '}
        <span className={styles.state} data-state={limit.state}>
          {limitMessage(limit, formats)}
        </span>
      </p>
      <span className="row-end">
        <LimitButton limit={limit} look="plain" />
        {/* In the place of Snooze, so the buttons of all lines begin together. */}
        <span className={`${styles.second} ${styles.snooze}`} />
      </span>
    </li>
  )
}

/** A measured part that will reach its limit, in Upcoming. */
export function UpcomingLimit({ limit }: { limit: Limit }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  return (
    <li>
      <LimitTitle limit={limit} className={`truncated ${upcoming.what}`} />
      <span className={`truncated ${upcoming.bike}`}>{bikeName(limit.gear_id)}</span>
      <span className={upcoming.amount}>{limitMessage(limit, formats)}</span>
      <span className={upcoming.when} data-state={limit.state === 'soon' ? 'soon' : undefined}>
        {whenText(limit, today, formats)}
      </span>
      <span className={upcoming.buttons}>
        <LimitButton limit={limit} look="arrow" />
      </span>
    </li>
  )
}

function LimitTitle({ limit, className }: { limit: Limit; className: string }) {
  return (
    <span className={className}>
      <b id={limitIdOf(limit)}>{limitName(limit)}</b>
      {' · '}
      <a href={detailsHref(limit.gear_id, limit.item_id)}>{limit.item_name}</a>
    </span>
  )
}

const LABELS = { measure: 'Measure', replace: 'Replace' } as const

type ButtonProps = { limit: Limit; look: Look; describedBy?: string }

/** Opens what to do first: a measurement, or a replacement if a reading shows that the part is worn. The arrow has the other. */
export function LimitButton({ limit, look, describedBy = limitIdOf(limit) }: ButtonProps) {
  const [first, second] =
    limit.reached_on === null ? (['measure', 'replace'] as const) : (['replace', 'measure'] as const)
  const open = useSetAtom(openFormOfAtom)
  const readOnly = { measure: useReadOnly('add_measurement'), replace: useReadOnly('change_parts') }
  return (
    <SplitButton
      label={LABELS[first]}
      look={look}
      describedBy={describedBy}
      readOnly={readOnly[first]}
      choices={limitName(limit)}
      onPress={() => open(limit, first)}
    >
      {[first, second].map((form) => (
        <button
          key={form}
          type="button"
          {...readOnly[form]}
          className="quiet"
          onClick={() => open(limit, form)}
        >
          {LABELS[form]}…
        </button>
      ))}
    </SplitButton>
  )
}
