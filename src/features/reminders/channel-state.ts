import { agoOf, type Formats } from '../../lib/formats.ts'
import type { Channel } from './atoms.ts'

/** Describes a channel's last message: `Sent 2 h ago`, `Failed just now: 401`. */
export function stateOf({ sent_at, failed_at, error }: Channel, formats: Formats, now: number): string {
  const ago = (instant: string) => agoOf(new Date(instant), formats, now)
  if (error !== null && failed_at !== null) return `Failed ${ago(failed_at)}: ${error}`
  return sent_at === null ? 'Nothing sent yet' : `Sent ${ago(sent_at)}`
}
