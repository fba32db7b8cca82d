import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { formatsFor, signOf } from '../../lib/formats.ts'
import { type Settings, settingsAtom } from '../../lib/settings.ts'
import { settingsOf } from './browser-settings.ts'
import { saveSettingsAtom } from './save.ts'
import styles from './Settings.module.css'

/** Offers to write as the browser's language does, if that differs. Both answers are stored, so it is only asked once. */
export default function SettingsOffer({ locale }: { locale: string }) {
  const settings = useAtomValue(settingsAtom)
  const save = useSetAtom(saveSettingsAtom)
  const readOnly = useReadOnly()
  const own = settingsOf(locale)
  const question = questionOf(own, settings)
  if (question === null) return null
  return (
    <section className={`row ${styles.offer}`} aria-label="Settings of this browser">
      <p className="soft">{question}</p>
      <button type="button" {...readOnly} onClick={() => void save(own)}>
        Use these
      </button>
      <button type="button" className="quiet" {...readOnly} onClick={() => void save({})}>
        Keep
      </button>
    </section>
  )
}

/** Asks about what differs: `Use kilometers, 22.11.2026 and €?` Returns null if nothing does that people see. */
export function questionOf(own: Settings, settings: Settings): string | null {
  const { name, day } = formatsFor(own)
  const parts = [
    own.distance !== settings.distance && name.toLowerCase(),
    // The day shows which number is the month.
    own.dates !== settings.dates && day('2026-11-22'),
    own.currency !== settings.currency && signOf(own.currency),
  ].filter((part) => part !== false)
  const last = parts.pop()
  return last === undefined ? null : `Use ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}?`
}
