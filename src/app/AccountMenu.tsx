import { useAtomValue } from 'jotai'

import { selectedBikeAtom } from '../features/bikes/atoms.ts'
import { Export } from '../features/export/Export.tsx'
import { emailAtom } from '../features/session/atoms.ts'
import { didNotStartAtom, runningSyncAtom, syncsAtom } from '../features/sync/atoms.ts'
import { statusLines } from '../features/sync/status.ts'
import { useFormats } from '../lib/formats.ts'
import { hasKeyboardAtom } from '../lib/screen.ts'
import styles from './AccountMenu.module.css'
import { ACTIONS } from './actions.ts'
import { Menu, MenuEntry } from './Menu.tsx'
import { hasShortcutKeyAtom, SHORTCUTS_KEY } from './shortcut-key.ts'

export function AccountMenu() {
  return (
    <Menu label={<span className={styles.label}>Account</span>} className={styles.account}>
      {(close) => <Entries close={close} />}
    </Menu>
  )
}

function Entries({ close }: { close: () => void }) {
  const email = useAtomValue(emailAtom)
  const bike = useAtomValue(selectedBikeAtom)
  const hasKey = useAtomValue(hasShortcutKeyAtom)
  const hasKeyboard = useAtomValue(hasKeyboardAtom)
  return (
    <>
      <LastSync />
      <ul>
        <MenuEntry {...ACTIONS.whatChanged} close={close} />
        <MenuEntry {...ACTIONS.updateRides} close={close} />
      </ul>
      <p className="soft truncated">{email}</p>
      <ul>
        <MenuEntry {...ACTIONS.settings} close={close} />
        <MenuEntry {...ACTIONS.history} close={close} />
        <MenuEntry {...ACTIONS.trash} close={close} />
        <li>
          <Export bike={bike} onChoose={close} />
        </li>
        {hasKeyboard && (
          <MenuEntry {...ACTIONS.showShortcuts} close={close} shortcut={hasKey ? SHORTCUTS_KEY : undefined} />
        )}
      </ul>
    </>
  )
}

/** `Synced 4 min ago: 1,402 rides, 2 new` */
function LastSync() {
  const syncs = useAtomValue(syncsAtom)
  const running = useAtomValue(runningSyncAtom)
  const didNotStart = useAtomValue(didNotStartAtom)
  const formats = useFormats()
  if (syncs.state !== 'ready') return null
  const isFailing = didNotStart || syncs.data.problem !== null
  const [line] = statusLines({ ...syncs.data, running, isFailing }, formats)
  return <p className="soft">{`${line?.when ?? ''}${line?.text ?? ''}`}</p>
}
