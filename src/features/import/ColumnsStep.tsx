import { useId } from 'react'

import { quote } from '../../lib/formats.ts'
import { chooseColumn, type Proposal, type Targets } from './columns.ts'
import type { Sheet } from './csv-file.ts'
import { type Column, COLUMNS, FOREIGN_COLUMNS, LABELS } from './headers.ts'
import styles from './ImportDialog.module.css'

type Props = { sheet: Sheet; proposal: Proposal; targets: Targets; onChoose: (targets: Targets) => void }

/** Lists a sheet's columns, and asks what each is. */
export function ColumnsStep({ sheet, proposal, targets, onChoose }: Props) {
  const options = proposal.isOwn ? COLUMNS : FOREIGN_COLUMNS
  return (
    <ul className={`list ${styles.columns}`}>
      {targets.map((target, index) => {
        const header = sheet.headers[index] ?? ''
        const examples = examplesOf(sheet, index)
        if (header === '' && examples.length === 0) return null
        return (
          <ColumnLine
            // The columns of a file never move.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            header={header || `Column ${index + 1}`}
            examples={examples}
            options={options}
            target={target}
            onChoose={(chosen) => onChoose(chooseColumn(targets, index, chosen))}
          />
        )
      })}
    </ul>
  )
}

type LineProps = {
  header: string
  examples: readonly string[]
  options: readonly Column[]
  target: Column | null
  onChoose: (target: Column | null) => void
}

function ColumnLine({ header, examples, options, target, onChoose }: LineProps) {
  const id = useId()
  return (
    <li>
      <label htmlFor={id}>{header}</label>
      <span className={styles.examples}>
        {examples.length > 0 ? examples.map(quote).join(', ') : 'empty'}
      </span>
      <select
        id={id}
        value={target ?? ''}
        onChange={(event) => onChoose(options[event.target.selectedIndex - 1] ?? null)}
      >
        <option value="">Not imported</option>
        {options.map((column) => (
          <option key={column} value={column}>
            {LABELS[column]}
          </option>
        ))}
      </select>
    </li>
  )
}

const EXAMPLES = 3

/** Returns the first different texts of a column. */
function examplesOf({ lines }: Sheet, index: number): string[] {
  const found = new Set<string>()
  for (const line of lines) {
    const cell = ('cells' in line && line.cells[index]?.trim()) || ''
    if (cell !== '') found.add(cell)
    if (found.size === EXAMPLES) break
  }
  return [...found]
}
