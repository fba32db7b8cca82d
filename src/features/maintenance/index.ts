export { readAllItems, readLog } from './api.ts'
export { type LogSlots, openItemAtom } from './Details.tsx'
export { clearAtom, typeAtom } from './cell.ts'
export type { EditorModel } from './EditorCell.tsx'
export { FieldEditor } from './FieldEditor.tsx'
export { discardDraftsAtom, draftAtom, draftedItemsAtom, draftKey, hasDraftsAtom } from './drafts.ts'
export type { Parsed } from './field-kinds.ts'
export {
  compareTimes,
  CSV_FIELD_NAMES,
  CSV_FIELDS,
  type CsvField,
  type CsvValues,
  endsBeforeStart,
  type Field,
  FIELD_NAMES,
  FIELDS,
  type FieldState,
  hintOf,
  isWork,
  type Item,
  KEY_HEADERS,
  REASONS,
  TYPES,
  type Value,
  type Values,
} from './fields.ts'
export { jumpToAtom } from './jump.ts'
export { LOG_SHORTCUTS, TIMELINE_SHORTCUTS } from './keyboard.ts'
export { allItemsAtom, followLogAtom, logAtom, logChangesAtom, reloadLogAtom } from './log.ts'
export { LogTiles, LogTools } from './LogTools.tsx'
export { EntryRow } from './NewRow.tsx'
export { UseNote } from './UseCells.tsx'
export { MaintenanceLog } from './MaintenanceLog.tsx'
export { likeness, nameKey } from './part-names.ts'
export { isInUse } from './view.ts'
