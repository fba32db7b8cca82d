import { saveFile } from '../lib/save-file.ts'
import { PopoverButton } from './PopoverButton.tsx'

type Props = { fileName: string; isEmpty: boolean; toCsv: () => string }

export function SaveCsv({ fileName, isEmpty, toCsv }: Props) {
  return (
    <PopoverButton label="More" isQuiet>
      {(close) => (
        <button
          type="button"
          disabled={isEmpty}
          onClick={() => {
            close()
            saveFile(fileName, toCsv(), 'text/csv')
          }}
        >
          Download CSV
        </button>
      )}
    </PopoverButton>
  )
}
