import { formatCount } from '../../lib/formats.ts'
import type { Preview } from './preview.ts'

export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** What was done, once it is. */
export function outcomeOf({ added, changed }: Preview): string {
  const parts = [
    added.length > 0 && `${counted(added.length, 'record')} added`,
    changed.length > 0 && `${counted(changed.length, 'record')} changed`,
  ].filter((part) => part !== false)
  return `Imported: ${parts.join(', ')}.`
}

/** What a preview comes to, in a sentence or two. */
export function summaryOf({ added, changed, unchanged, present, refused }: Preview): string {
  const kept = unchanged + present.length
  if (refused.length > 0) {
    return `${counted(refused.length, 'line')} cannot be taken, so nothing is imported. Correct the file, then choose it again.`
  }
  if (added.length + changed.length === 0)
    return `${counted(kept, 'line')}, all in the log already: there is nothing to import.`
  const parts = [
    added.length > 0 && `${formatCount(added.length)} to add`,
    changed.length > 0 && `${formatCount(changed.length)} to change`,
    kept > 0 && `${formatCount(kept)} in the log already`,
  ].filter((part) => part !== false)
  return `${parts.join(', ')}. Other records are left alone.`
}
