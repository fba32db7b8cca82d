import type { InputHTMLAttributes } from 'react'

import styles from './AuthCard.module.css'

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; name: string }

/** A labelled field of an AuthCard. */
export function AuthField({ label, ...input }: Props) {
  return (
    <label className={styles.field}>
      {label}
      <input {...input} />
    </label>
  )
}

/** The field for the e-mail of the account. */
export function EmailField({ defaultValue = '' }: { defaultValue?: string }) {
  return (
    <AuthField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={defaultValue}
    />
  )
}
