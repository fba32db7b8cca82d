import { useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../components/PopoverButton.tsx'
import { useReadOnly } from '../components/read-only.ts'
import { SegmentedControl } from '../components/SegmentedControl.tsx'
import { selectedBikeAtom } from '../features/bikes/atoms.ts'
import { Export } from '../features/export/Export.tsx'
import { emailAtom } from '../features/session/atoms.ts'
import { saveSettingsAtom } from '../features/settings/save.ts'
import { backendAtom } from '../lib/backend.ts'
import { settingsAtom } from '../lib/settings.ts'
import styles from './AccountMenu.module.css'
import { type Action, ACTIONS, openCommandMenu, openSecondFactor } from './actions.ts'
import { COMMAND_KEYS, hasShortcutKeyAtom, SHORTCUTS_KEY } from './shortcut-key.ts'

export function AccountMenu() {
  return (
    <div className={styles.account}>
      <PopoverButton label={<span className={styles.label}>Account</span>}>
        {(close) => <Menu close={close} />}
      </PopoverButton>
    </div>
  )
}

function Menu({ close }: { close: () => void }) {
  const email = useAtomValue(emailAtom)
  const bike = useAtomValue(selectedBikeAtom)
  const hasKey = useAtomValue(hasShortcutKeyAtom)
  const { secondFactor } = useAtomValue(backendAtom).config
  return (
    <>
      <p className="soft truncated">{email}</p>
      <Units />
      <ul className={styles.entries}>
        <Entry {...openCommandMenu} close={close} shortcut={COMMAND_KEYS} />
        {bike && <Entry {...ACTIONS.setUpBike} close={close} />}
        <Entry {...ACTIONS.import} close={close} />
        <li>
          <Export bike={bike} onChoose={close} />
        </li>
        {bike && <Entry {...ACTIONS.partsList} close={close} />}
        <Entry {...ACTIONS.trash} close={close} />
        <Entry {...ACTIONS.calendarFeed} close={close} />
        <Entry {...ACTIONS.notifications} close={close} />
        <Entry {...ACTIONS.changePassword} close={close} />
        {secondFactor && <Entry {...openSecondFactor} close={close} />}
        <Entry {...ACTIONS.showShortcuts} close={close} shortcut={hasKey ? SHORTCUTS_KEY : undefined} />
      </ul>
      {!window.isSecureContext && (
        <p className="note">
          Without https, this page can’t be installed, work offline or show notifications.
        </p>
      )}
    </>
  )
}

type EntryProps = Action & { close: () => void; shortcut?: { shown: string; aria: string } | undefined }

/** Closes the menu before running the action, so a dialog returns focus to the menu button. */
function Entry({ label, action, changesData = false, close, shortcut }: EntryProps) {
  const run = useSetAtom(action)
  const readOnly = useReadOnly()
  return (
    <li>
      <button
        type="button"
        {...(changesData ? readOnly : undefined)}
        aria-keyshortcuts={shortcut?.aria}
        onClick={() => {
          close()
          run()
        }}
      >
        {label}
        {shortcut && <kbd aria-hidden>{shortcut.shown}</kbd>}
      </button>
    </li>
  )
}

const UNITS = [
  { value: 'mi', label: 'Miles' },
  { value: 'km', label: 'Kilometers' },
] as const

function Units() {
  const { distance } = useAtomValue(settingsAtom)
  const save = useSetAtom(saveSettingsAtom)
  return (
    <div className="ends">
      <span aria-hidden>Units</span>
      <SegmentedControl
        legend="Units"
        options={UNITS}
        value={distance}
        onChange={(chosen) => void save({ distance: chosen })}
      />
    </div>
  )
}
