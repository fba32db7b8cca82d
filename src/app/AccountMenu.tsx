import { useAtomValue } from 'jotai'

import { lazyScreen } from '../components/lazy-screen.tsx'
import { selectedBikeAtom } from '../features/bikes/atoms.ts'
import { Export } from '../features/export/Export.tsx'
import { emailAtom } from '../features/session/atoms.ts'
import { hasKeyboardAtom } from '../lib/screen.ts'
import styles from './AccountMenu.module.css'
import { ACTIONS } from './actions.ts'
import { Menu, MenuEntry } from './Menu.tsx'
import { hasShortcutKeyAtom, SHORTCUTS_KEY } from './shortcut-key.ts'

const LastSync = lazyScreen(() => import('../features/sync/LastSync.tsx'))

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
