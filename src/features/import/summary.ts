import { counted, formatCount } from '../../lib/formats.ts'
import type { Preview } from './preview.ts'

export const countItems = (count: number) => counted(count, 'log entry', 'log entries')

/** Returns how many lines would be imported. */
export const countOf = ({ added, changed }: Preview): number => added.length + changed.length

export function summaryOf({ added, changed, unchanged, present, refused }: Preview): string {
  const same = unchanged + present.length
  if (added.length + changed.length === 0) {
    return refused.length > 0
      ? `Nothing to import. ${counted(refused.length, 'line')} can’t be imported.`
      : `Nothing to import. Already in the log: ${counted(same, 'line')}.`
  }
  const parts = [
    added.length > 0 && `${formatCount(added.length)} to add`,
    changed.length > 0 && `${formatCount(changed.length)} to change`,
    same > 0 && `${formatCount(same)} already in the log`,
    refused.length > 0 && `${formatCount(refused.length)} can’t be imported`,
  ].filter((part) => part !== false)
  return `${parts.join(', ')}. Other log entries stay as they are.`
}

export function successMessage({ added, changed }: Preview): string {
  const parts = [
    added.length > 0 && `${countItems(added.length)} added`,
    changed.length > 0 && `${countItems(changed.length)} changed`,
  ].filter((part) => part !== false)
  return `Imported: ${parts.join(', ')}.`
}
