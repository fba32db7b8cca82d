import { useAtom } from 'jotai'
import { Fragment } from 'react'

import { Dialog } from '../components/Dialog.tsx'
import { DATE_SHORTCUTS, type ShortcutGroup, TAB_SHORTCUTS, TOAST_SHORTCUT } from '../components/shortcuts.ts'
import { LOG_SHORTCUTS, TIMELINE_SHORTCUTS } from '../features/log/keyboard.ts'
import { CHART_SHORTCUTS, RIDES_SHORTCUTS } from '../features/rides/shortcuts.ts'
import { COMMAND_KEYS, hasShortcutKeyAtom } from './shortcut-key.ts'
import styles from './ShortcutsDialog.module.css'

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasKey, setHasKey] = useAtom(hasShortcutKeyAtom)
  const everywhere: ShortcutGroup = {
    place: 'Anywhere',
    shortcuts: [
      { keys: [COMMAND_KEYS.shown], does: 'Open or close the command menu' },
      ...(hasKey ? [{ keys: ['?'], does: 'Show this list (unless you are typing)' }] : []),
      TOAST_SHORTCUT,
      { keys: ['Esc'], does: 'Close the open dialog or menu' },
    ],
  }
  const groups = [
    everywhere,
    LOG_SHORTCUTS,
    TIMELINE_SHORTCUTS,
    DATE_SHORTCUTS,
    TAB_SHORTCUTS,
    ...RIDES_SHORTCUTS,
    CHART_SHORTCUTS,
  ]

  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      tools={
        <label className="row small to-start">
          <input type="checkbox" checked={hasKey} onChange={(event) => setHasKey(event.target.checked)} />
          Open this list with ?
        </label>
      }
    >
      <table className={`plain-table ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        {groups.map(({ place, shortcuts }) => (
          <tbody key={place}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {place}
              </th>
            </tr>
            {shortcuts.map(({ keys, does }) => (
              <tr key={does}>
                <td>
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && ' '}
                      <kbd>{key}</kbd>
                    </Fragment>
                  ))}
                </td>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Dialog>
  )
}
