import { atom, type Getter, type Setter } from 'jotai'

import { notifyFailure } from '../../components/toasts.tsx'
import type { Json } from '../../../supabase/database.types.ts'
import { hasEnds, type KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import type { Written } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { backendAtom, type Client } from '../../lib/backend.ts'
import { runCommand } from '../../lib/commands.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { callSql } from '../../lib/functions.ts'
import { formatsAtom } from '../../lib/formats.ts'
import { failureMessage, newUuid, write } from '../../lib/writes.ts'
import { readBikes } from '../bikes/api.ts'
import { readCsvItems } from '../entries/csv.ts'
import { loadProposer } from '../entries/proposals.ts'
import { offerUndo } from '../journal/mutate.ts'
import { type Proposal, proposeColumns, remember, rememberedColumnsAtom, type Targets } from './columns.ts'
import { parseSheet, readText, type Sheet, UnreadableFile } from './csv-file.ts'
import type { Column } from './headers.ts'
import { type Choices, readingsIn, readSheet } from './lines.ts'
import { isAnswered, type Preview, previewOf, refuse, rowOf } from './preview.ts'
import { type groupReadings, odometersOf } from './readings.ts'
import type { ImportBike } from './row.ts'
import { mapInSteps } from './steps.ts'
import { countOf, successMessage } from './summary.ts'

export type Import = { file: File } & (
  | { step: 'loading' }
  | { step: 'unreadable'; message: string }
  /** Asks what the file's columns are. */
  | { step: 'columns'; source: Source; choices: Choices }
  | {
      step: 'preview'
      preview: Preview
      /** Of the request, so it imports once even if a response is lost. */
      key: string
      source: Source
      choices: Choices
      isBusy: boolean
      /** Whether it is busy with other choices, which newer ones replace. */
      isReading?: boolean
      problem: string | null
    }
)

/** A preview that is shown. */
export type Importing = Extract<Import, { step: 'preview' }>

/** A file that was read, and the log that it is compared with. */
type Source = {
  sheet: Sheet
  proposal: Proposal
  bikes: readonly ImportBike[]
  /** Compares them with other choices. */
  readAs: (choices: Choices) => Promise<Preview>
}

const importBase = atom<Import | null>(null)

export const importAtom = atom((get) => get(importBase))

export const closeImportAtom = atom(null, (_get, set) => set(importBase, null))

type Again = { problem: string; choices: Choices }

/** Previews a file without writing anything. `again` says why a preview is shown again, and keeps the owner's choices. */
export const previewImportAtom = atom(null, async (get, set, file: File, again?: Again) => {
  const loading = { file, step: 'loading' } as const
  set(importBase, loading)
  const loaded = await loadImport(get, file, again)
  // The owner may have chosen another file in the meantime.
  if (get(importBase) === loading) set(importBase, loaded)
})

/** Reads the file with other choices: another order of dates, another bike, or another text of a cell. */
export const choosePreviewAtom = atom(null, async (get, set, choices: Choices) => {
  const shown = get(importBase)
  if (shown?.step !== 'preview' || (shown.isBusy && !shown.isReading)) return
  const { order } = choices
  const dates = { ...shown.preview.dates, ...(order && { order, isOpen: false }) }
  const all = { ...shown.choices, ...choices }
  if (choices.unit) keepColumns(get, set, shown.source, all)
  const reading = {
    ...shown,
    choices: all,
    preview: { ...shown.preview, dates },
    isBusy: true,
    isReading: true,
  }
  set(importBase, reading)
  const failed = (cause: unknown) => ({ ...shown, problem: messageFor(toAppError(cause)) })
  const answered = await previewStep(shown.file, shown.source, all).catch(failed)
  if (get(importBase) === reading) set(importBase, answered)
})

/** Shows a file's columns again. */
export const askColumnsAtom = atom(null, (get, set) => {
  const shown = get(importBase)
  if (shown?.step !== 'preview' || shown.isBusy) return
  const { file, source, choices } = shown
  set(importBase, { file, step: 'columns', source, choices })
})

/** Reads the file with the columns that the owner has chosen, now and the next time. */
export const chooseColumnsAtom = atom(null, async (get, set, targets: Targets) => {
  const shown = get(importBase)
  if (shown?.step !== 'columns') return
  const { file, source } = shown
  const choices = { ...shown.choices, targets }
  keepColumns(get, set, source, choices)
  const loading = { file, step: 'loading' } as const
  set(importBase, loading)
  const answered = await previewStep(file, source, choices).catch((cause: unknown) => unreadable(file, cause))
  if (get(importBase) === loading) set(importBase, answered)
})

function keepColumns(get: Getter, set: Setter, { sheet, proposal }: Source, choices: Choices) {
  const { targets = proposal.targets, unit = proposal.unit } = choices
  set(rememberedColumnsAtom, remember(get(rememberedColumnsAtom), sheet, { targets, unit }))
}

/** Replaces the text of a line's cell. */
export const mendAtom = atom(null, (get, set, line: number, column: Column, text: string) => {
  const shown = get(importBase)
  if (shown?.step !== 'preview') return undefined
  const mended = new Map(shown.choices.mended)
  mended.set(line, { ...mended.get(line), [column]: text })
  return set(choosePreviewAtom, { mended })
})

async function loadImport(get: Getter, file: File, again?: Again): Promise<Import> {
  try {
    const source = await readSource(get, file)
    const { choices = {}, problem } = again ?? {}
    if (!source.proposal.isSure && !choices.targets) return { file, step: 'columns', source, choices }
    return await previewStep(file, source, choices, problem)
  } catch (cause) {
    return unreadable(file, cause)
  }
}

function unreadable(file: File, cause: unknown): Import {
  const message = cause instanceof UnreadableFile ? cause.message : messageFor(toAppError(cause))
  return { file, step: 'unreadable', message }
}

async function previewStep(file: File, source: Source, choices: Choices, problem: string | null = null) {
  const preview = await source.readAs(choices)
  return { file, step: 'preview', preview, key: newUuid(), source, choices, isBusy: false, problem } as const
}

async function readSource(get: Getter, file: File): Promise<Source> {
  const { client } = get(backendAtom)
  const { signal } = new AbortController()
  const sheet = parseSheet(await readText(file))
  const proposal = proposeColumns(sheet, get(rememberedColumnsAtom))
  const [items, bikes] = await Promise.all([readCsvItems(client, signal), readBikes(client, signal)])
  const formats = get(formatsAtom)
  const proposer = await loadProposer(items)
  const compared = { items, bikes, formats, proposal, ...(proposer && { propose: proposer.kindOf }) }
  const readAs = async (choices: Choices) => {
    const reading = readSheet(sheet, compared, choices)
    const asked = readingsIn(reading)
    const reached = asked.length === 0 ? [] : await readReached(client, asked)
    const log = { ...reading.log, odometers: odometersOf(asked, reached) }
    const rows = await mapInSteps(reading.lines, (line) => rowOf(line, log))
    const preview = previewOf(reading, rows)
    return refuseOverlaps(client, preview)
  }
  return { sheet, proposal, bikes, readAs }
}

const readReached = async (client: Client, readings: ReturnType<typeof groupReadings>) =>
  (await callSql(client, 'days_reached', { readings })).bikes

/** Asks the database which lines would put a part in two places. */
async function refuseOverlaps(client: Client, preview: Preview): Promise<Preview> {
  if (countOf(preview) === 0) return preview
  const args = { ...planOf(preview), dry_run: true } as unknown as Json
  const call = { command: 'import_items', arguments: args }
  const { answer } = (await write(client, 'run_command', call)) as Written<'import_items'>
  const messages = Object.entries(answer.refused ?? {})
  return refuse(preview, new Map(messages.map(([line, message]) => [Number(line), `Part: ${message}`])))
}

/**
 * Imports the previewed changes. Resolves to whether the dialog can close. If the log has changed, shows a new preview
 * instead. If the dialog was closed, only shows a toast with the result.
 */
export const runImportAtom = atom(null, async (get, set): Promise<boolean> => {
  const shown = get(importBase)
  if (shown?.step !== 'preview' || shown.isBusy || !isAnswered(shown)) return false
  const { file, preview } = shown
  const writing = { ...shown, isBusy: true, problem: null }
  const isShown = () => get(importBase) === writing
  set(importBase, writing)
  try {
    const { change } = await runCommand(get, set, 'import_items', planOf(preview), shown.key)
    offerUndo(get, set, successMessage(preview), { change, of: 'the log' })
  } catch (cause) {
    const error = toAppError(cause)
    if (!isShown()) notifyFailure(failureMessage('The import', 'saved', error))
    else if (error.code === 'RMT04') {
      await set(previewImportAtom, file, {
        problem: CHANGED,
        choices: shown.choices,
      })
    } else set(importBase, { ...shown, problem: failureMessage('The import', 'saved', error) })
    return false
  }
  return isShown()
})

const CHANGED = 'Nothing was saved because the log has changed. The preview now shows the new result.'

const planOf = ({ added, changed, itemCount, newestId }: Preview) => ({
  added: added.map((row) => {
    const { line, bike, values, partId, partOf } = row
    const plan = { line, bikeId: bike.gear_id, part_id: partId, part_of: partOf?.id ?? null }
    return Object.assign(plan, values, kindOfPart(row, { added, changed }))
  }),
  changed: changed.map(({ line, item, after }) => ({ line, before: item, after })),
  records: itemCount,
  newest: newestId,
})

/** Returns what a line's part is: what it already is, or what the first of its lines that knows says. */
function kindOfPart(
  { values, partId, partOf }: Preview['added'][number],
  { added, changed }: Pick<Preview, 'added' | 'changed'>,
): KindAndPosition {
  const known = partOf && (changed.find(({ item }) => item.part_id === partOf.part_id)?.after ?? partOf)
  const lines =
    partId === null ? [values] : added.filter((row) => row.partId === partId).map((row) => row.values)
  const kind = (known ?? lines.find((one) => one.kind !== null))?.kind ?? null
  return { kind, position: hasEnds(kind) ? values.position : null }
}
