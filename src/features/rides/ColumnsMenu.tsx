import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { resetColumnsAtom, visibilityAtom } from './column-settings.ts'
import { columnsAtom } from './columns.tsx'
import styles from './ColumnsMenu.module.css'

export function ColumnsMenu() {
  return (
    <PopoverButton label="Columns" side="below">
      {() => <Choices />}
    </PopoverButton>
  )
}

function Choices() {
  const [visibility, setVisibility] = useAtom(visibilityAtom)
  const reset = useSetAtom(resetColumnsAtom)
  const hideable = useAtomValue(columnsAtom).filter((column) => column.enableHiding !== false)
  return (
    <fieldset className={styles.choices}>
      <legend>Show columns</legend>
      {hideable.map(({ id = '', header }) => (
        <label key={id} className={styles.choice}>
          <input
            type="checkbox"
            checked={visibility[id] !== false}
            onChange={(event) => setVisibility((old) => ({ ...old, [id]: event.target.checked }))}
          />
          {String(header)}
        </label>
      ))}
      <p className={styles.hint}>
        To resize a column, drag the edge of its header, or focus the header and press Shift + ← or →.
      </p>
      <button type="button" onClick={reset}>
        Reset columns
      </button>
    </fieldset>
  )
}
