import { useId } from 'react'

import { END_REASONS } from '../../../../supabase/functions/_shared/limits.ts'
import type { Reason } from './api.ts'
import styles from './ReasonSelect.module.css'

type Props = { label: string; value: Reason; disabled?: boolean; onChange: (reason: Reason) => void }

export function ReasonSelect({ label, value, disabled, onChange }: Props) {
  const id = useId()
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => onChange(END_REASONS.find((reason) => reason === event.target.value) ?? null)}
      >
        <option value="">unknown</option>
        {END_REASONS.map((reason) => (
          <option key={reason}>{reason}</option>
        ))}
      </select>
    </div>
  )
}
