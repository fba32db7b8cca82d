import { atom, useAtomValue } from 'jotai'
import { useState } from 'react'

import { type Day, dayOf } from '../../../lib/days.ts'
import { isSettled } from '../../../lib/resource.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { type Replaced, replacedAtom } from '../../entries/replaced.ts'

type Part = Pick<Item, 'id' | 'type'>

/** `item`: its entry, if the log could be read. */
type ComingOff = Pick<Replaced, 'id' | 'name' | 'is_likely'> & { item: Item | undefined }

const nothingAtom = atom(null)

/**
 * Returns what may come off a bike when a part and those that go along with it are put on: what they replace, and other
 * parts of its type. `chosen` overrides what is likely.
 */
export function useComingOff(
  part: Part,
  along: readonly number[],
  bike: number | undefined,
  day: Day | undefined,
  chosen: Readonly<Record<number, boolean>>,
) {
  const going = [part.id, ...along]
  const key = JSON.stringify([bike, day, going])
  const [read, setRead] = useState<{ key: string; parts: readonly ComingOff[] } | null>(null)
  // The choices don't change after loading, so ignore the reload that follows the move.
  const isRead = bike === undefined || day === undefined || read?.key === key
  const log = useAtomValue(isRead ? nothingAtom : logAtom(bike))
  const replaced = useAtomValue(isRead ? nothingAtom : replacedAtom({ gear_id: bike, day, items: going }))
  if (log && replaced && isSettled(log) && isSettled(replaced)) {
    const items = log.state === 'ready' ? log.data : []
    // Without an answer, such as offline, the owner still chooses from the log.
    const found = replaced.state === 'ready' ? replaced.data : []
    const known = new Set([...going, ...found.map(({ id }) => id)])
    const others = items
      .filter(
        ({ id, type, dateStarted, dateEnded }) =>
          !known.has(id) &&
          dateEnded === null &&
          dayOf(dateStarted) <= day! &&
          type !== null &&
          type === part.type,
      )
      .map(({ id, name }) => ({ id, name, is_likely: false }))
    const parts = [...found, ...others].map(({ id, name, is_likely }) => {
      const item = items.find((one) => one.id === id)
      return { id, name, is_likely, item }
    })
    setRead({ key, parts })
  }
  const parts = bike === undefined ? [] : (read?.parts ?? [])
  return {
    isLoading: !isRead,
    parts: parts.map(({ id, name, item, is_likely }) => {
      return { id, name, item, isTicked: chosen[id] ?? is_likely }
    }),
  }
}
