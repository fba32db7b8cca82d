import { useAtom } from 'jotai'
import { Fragment } from 'react'

import { Dialog } from '../components/Dialog.tsx'
import { COMMAND_KEYS, hasShortcutKeyAtom } from './shortcut-key.ts'
import styles from './ShortcutsDialog.module.css'

/** A row of the list. Its keys do the same or opposite things. */
type Shortcut = readonly [does: string, ...keys: string[]]

const LISTED_BY_KEY: Shortcut = ['Show this list (unless you are typing)', '?']

/** By where they work. */
const GROUPS: Record<string, readonly Shortcut[]> = {
  Anywhere: [
    ['Open or close the command menu', COMMAND_KEYS.shown],
    LISTED_BY_KEY,
    // Handled by react-toastify.
    ['Go to the newest message and its buttons', 'Alt T'],
    ['Close the open dialog or menu', 'Esc'],
  ],
  'In the maintenance log': [
    ['Save the field or add the new row', 'Enter'],
    ['Restore the stored value', 'Esc'],
    ['Go to the field above or below', '↑', '↓'],
    ['At either end of the text, go to the next field', '←', '→'],
  ],
  'In the timeline': [
    ['Go to the previous or next entry of the lane', '←', '→'],
    ['Go to the lane above or below', '↑', '↓'],
    ['Show the year of the entry, or all years', '+', '-'],
    ['Open the details', 'Enter'],
  ],
  'In a date field': [
    ['Open the calendar or move into it', '↓'],
    ['Move between days', '←', '→', '↑', '↓'],
    ['Previous or next month', 'Page Up', 'Page Down'],
    ['Select the date', 'Enter'],
    ['Close the calendar', 'Esc'],
  ],
  'On the tabs': [
    ['Previous or next tab', '←', '→'],
    ['First or last tab', 'Home', 'End'],
  ],
  'On a ride’s name': [
    ['Previous or next ride', '↑', '↓'],
    ['Previous or next page of rides', 'Page Up', 'Page Down'],
    ['First or last ride', 'Home', 'End'],
    ['Open the ride on Ride with GPS', 'Enter'],
  ],
  'On a column header of the rides': [
    ['Sort; press again to reverse', 'Enter'],
    ['Make the column narrower or wider', 'Shift + ←', 'Shift + →'],
  ],
  'On a chart bar': [
    ['Previous or next bar', '←', '→'],
    ['First or last bar', 'Home', 'End'],
    ['Show only the rides in this period', 'Enter'],
  ],
}

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [hasKey, setHasKey] = useAtom(hasShortcutKeyAtom)
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
        {Object.entries(GROUPS).map(([place, shortcuts]) => (
          <tbody key={place}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {place}
              </th>
            </tr>
            {shortcuts
              .filter((one) => hasKey || one !== LISTED_BY_KEY)
              .map(([does, ...keys]) => (
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
