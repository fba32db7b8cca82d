import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { formatCount } from '../../lib/formats.ts'
import {
  askColumnsAtom,
  chooseColumnsAtom,
  closeImportAtom,
  type Import,
  importAtom,
  type Importing,
  previewImportAtom,
  runImportAtom,
} from './atoms.ts'
import type { Targets } from './columns.ts'
import { ColumnsStep } from './ColumnsStep.tsx'
import { isAnswered, isUnread } from './preview.ts'
import { PreviewLists } from './PreviewLists.tsx'
import { Questions } from './Questions.tsx'
import { saveTemplateAtom } from './template.ts'
import { countItems, countOf, summaryOf } from './summary.ts'

type Props = { file: File; onChooseAnother: () => void; onClose: () => void }

export default function ImportDialog({ file, onChooseAnother, onClose }: Props) {
  const shown = useAtomValue(importAtom)
  const preview = useSetAtom(previewImportAtom)
  const run = useSetAtom(runImportAtom)
  const chooseColumns = useSetAtom(chooseColumnsAtom)
  const close = useSetAtom(closeImportAtom)
  const [chosen, setChosen] = useState<Targets | null>(null)
  useEffect(() => {
    void preview(file)
    return close
  }, [preview, close, file])

  const current = shown?.file === file ? shown : ({ file, step: 'loading' } as const)
  const confirm = async () => {
    if (await run()) onClose()
  }
  const targets = chosen ?? targetsOf(current)
  const goOn = () => {
    setChosen(null)
    void chooseColumns(targets)
  }

  return (
    <Dialog
      title={`Import ${file.name}`}
      lead={<p role="status">{leadOf(current, targets)}</p>}
      closeLabel="Cancel"
      onClose={onClose}
      tools={<Tools shown={current} onChooseAnother={onChooseAnother} />}
      actions={
        <>
          {current.step === 'columns' && <ContinueButton targets={targets} onContinue={goOn} />}
          {isImportable(current) && <ConfirmButton shown={current} onConfirm={() => void confirm()} />}
        </>
      }
    >
      {current.step === 'columns' ? (
        <ColumnsStep {...current.source} targets={targets} onChoose={setChosen} />
      ) : (
        <Body shown={current} />
      )}
    </Dialog>
  )
}

const targetsOf = (shown: Import): Targets =>
  shown.step === 'columns' ? (shown.choices.targets ?? shown.source.proposal.targets) : []

function leadOf(shown: Import, targets: Targets): string {
  if (shown.step === 'loading') return 'Loading…'
  if (shown.step === 'columns')
    return targets.includes('name')
      ? 'What is in each column?'
      : 'What is in each column? Choose the one with the names.'
  if (shown.step === 'unreadable') return 'Nothing was changed.'
  return isUnread(shown) ? 'The file doesn’t say everything yet.' : summaryOf(shown.preview)
}

type ToolsProps = { shown: Import; onChooseAnother: () => void }

function Tools({ shown, onChooseAnother }: ToolsProps) {
  const saveTemplate = useSetAtom(saveTemplateAtom)
  const askColumns = useSetAtom(askColumnsAtom)
  if (shown.step === 'loading') return null
  const isClean = isImportable(shown) && shown.preview.refused.length === 0
  const hasColumns =
    shown.step === 'preview' && !(shown.source.proposal.isOwn && shown.preview.ignored.length === 0)
  return (
    <>
      {!isClean && (
        <button type="button" className="to-start" onClick={onChooseAnother}>
          Choose another file
        </button>
      )}
      {hasColumns && (
        <button type="button" className={isClean ? 'to-start' : undefined} onClick={askColumns}>
          Columns
        </button>
      )}
      {shown.step === 'unreadable' && (
        <button type="button" onClick={saveTemplate}>
          Template
        </button>
      )}
    </>
  )
}

function Body({ shown }: { shown: Exclude<Import, { step: 'columns' }> }) {
  if (shown.step === 'loading') return null
  const problem = shown.step === 'unreadable' ? shown.message : shown.problem
  return (
    <>
      {problem !== null && (
        <p role="alert" className="failure">
          {problem}
        </p>
      )}
      {shown.step === 'preview' && (
        <>
          <Questions {...shown} />
          <Notes shown={shown} />
          {!isUnread(shown) && <PreviewLists preview={shown.preview} />}
        </>
      )}
    </>
  )
}

/** Says how the file was read. */
function Notes({ shown: { source, choices, preview } }: { shown: Importing }) {
  const notes = [
    source.proposal.source !== null && !choices.targets && `Read as ${source.proposal.source}.`,
    preview.ignored.length > 0 && `Not imported: ${preview.ignored.join(', ')}.`,
    preview.added.some(({ approximate }) => approximate.length > 0) &&
      '~ marks the day on which the bike’s rides had reached the reading.',
  ].filter((note) => note !== false)
  return notes.length > 0 && <p className="note">{notes.join(' ')}</p>
}

type ContinueProps = { targets: Targets; onContinue: () => void }

function ContinueButton({ targets, onContinue }: ContinueProps) {
  const hasName = targets.includes('name')
  return (
    <button
      type="button"
      className="primary"
      aria-disabled={!hasName}
      onClick={() => hasName && onContinue()}
    >
      Continue
    </button>
  )
}

const isImportable = (shown: Import): shown is Importing =>
  shown.step === 'preview' && countOf(shown.preview) > 0 && !isUnread(shown)

function ConfirmButton({ shown, onConfirm }: { shown: Importing; onConfirm: () => void }) {
  const [count, skipped] = [countOf(shown.preview), shown.preview.refused.length]
  return (
    <button
      type="button"
      className="primary"
      aria-busy={shown.isBusy}
      aria-disabled={shown.isBusy || !isAnswered(shown)}
      onClick={onConfirm}
    >
      {skipped === 0
        ? `Import ${countItems(count)}`
        : `Import ${formatCount(count)}, skip ${formatCount(skipped)}`}
    </button>
  )
}
