import { useAtomValue, useSetAtom } from 'jotai'
import { useId } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { DATES, WEEK_STARTS } from '../../../supabase/functions/_shared/formats/settings.ts'
import { backendAtom } from '../../lib/backend.ts'
import { currencyCodes, currencyName, type Formats, formatsFor, useFormats } from '../../lib/formats.ts'
import { type Settings, settingsAtom } from '../../lib/settings.ts'
import { browserZone, timeZoneAtom, zonesWith } from '../../lib/time-zone.ts'
import { LongSelect } from './LongSelect.tsx'
import { saveSettingsAtom } from './save.ts'
import styles from './Settings.module.css'
import { saveTimeZoneAtom } from './time-zone.ts'

const DISTANCES = [
  { value: 'mi', label: 'Miles' },
  { value: 'km', label: 'Kilometers' },
] as const

const WEEKS = WEEK_STARTS.map((value) => ({ value, label: value }))

const WEEK_OF = { Sunday: 'Sun–Sat', Monday: 'Mon–Sun', Saturday: 'Sat–Fri' }

/** A day that reads differently in each order. */
const SAMPLE_DAY = '2026-11-22'

const COMMON = new Set(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'NZD', 'CHF', 'JPY', 'SEK', 'NOK', 'DKK'])

/** How distances, dates and amounts are shown and typed. Each change is saved at once. */
export function Display() {
  const settings = useAtomValue(settingsAtom)
  const saveSettings = useSetAtom(saveSettingsAtom)
  const formats = useFormats()
  const readOnly = useReadOnly()
  const save = (wanted: Partial<Settings>) => void saveSettings(wanted)
  const zone = useAtomValue(timeZoneAtom)
  const saveZone = useSetAtom(saveTimeZoneAtom)
  const { otherZoneRules } = useAtomValue(backendAtom).config
  const [datesId, currencyId, noteId, zoneId, rulesId] = [useId(), useId(), useId(), useId(), useId()]
  return (
    <fieldset className={styles.fields} {...readOnly}>
      <span aria-hidden>Distance</span>
      <SegmentedControl
        legend="Distance"
        options={DISTANCES}
        value={settings.distance}
        onChange={(distance) => save({ distance })}
      />
      <label htmlFor={datesId}>Dates</label>
      <select
        id={datesId}
        value={settings.dates}
        onChange={({ target }) => save({ dates: target.value as Settings['dates'] })}
      >
        {DATES.map((dates) => (
          <option key={dates} value={dates}>
            {formatsFor({ ...settings, dates }).day(SAMPLE_DAY)}
          </option>
        ))}
      </select>
      <label htmlFor={currencyId}>Currency</label>
      <div className="row">
        <LongSelect
          id={currencyId}
          aria-describedby={noteId}
          value={settings.currency}
          onChange={({ target }) => save({ currency: target.value })}
          chosen={<Currency code={settings.currency} />}
        >
          {() => (
            <>
              <Currencies label="Common" isListed={(code) => COMMON.has(code)} />
              <Currencies label="All others" isListed={(code) => !COMMON.has(code)} />
            </>
          )}
        </LongSelect>
        <span id={noteId} className="note">
          Changes the sign, not the amounts.
        </span>
      </div>
      <span aria-hidden>Week starts on</span>
      <SegmentedControl
        legend="Week starts on"
        options={WEEKS}
        value={settings.week_start}
        onChange={(week_start) => save({ week_start })}
      />
      <label htmlFor={zoneId}>Time zone</label>
      <div className="row">
        <LongSelect
          id={zoneId}
          aria-describedby={otherZoneRules ? rulesId : undefined}
          value={zone}
          onChange={({ target }) => void saveZone(target.value)}
          chosen={<option>{zone}</option>}
        >
          {() => zonesWith(zone).map((name) => <option key={name}>{name}</option>)}
        </LongSelect>
        {zone !== browserZone() && (
          <button type="button" onClick={() => void saveZone(browserZone())}>
            Use this browser’s
          </button>
        )}
        {otherZoneRules && (
          <span id={rulesId} className="note">
            The database has other time zone rules than the tracker, so rides near midnight can be on another
            day. The tracker’s “doctor” command names the zones.
          </span>
        )}
      </div>
      <span>Example</span>
      <p role="status" className={styles.example}>
        {exampleIn(formats)}
      </p>
    </fieldset>
  )
}

function Currencies({ label, isListed }: { label: string; isListed: (code: string) => boolean }) {
  return (
    <optgroup label={label}>
      {currencyCodes()
        .filter(isListed)
        .map((code) => (
          <Currency key={code} code={code} />
        ))}
    </optgroup>
  )
}

const Currency = ({ code }: { code: string }) => (
  <option value={code}>{`${code} – ${currencyName(code)}`}</option>
)

/** Formats `22 Nov 2026 · 22.11.2026 · €1,234.50 · 42 km · Mon–Sun`. */
function exampleIn({ settings, longDay, day, money, distance }: Formats): string {
  return [
    longDay(SAMPLE_DAY),
    day(SAMPLE_DAY),
    money(1234.5),
    distance.formatWhole(42_000),
    WEEK_OF[settings.week_start],
  ].join(' · ')
}
