import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { todayAtom } from '../../lib/clock.ts'
import { backendAtom } from '../../lib/backend.ts'
import { upperFirst, useHeldFormats } from '../../lib/formats.ts'
import { type NewTask, readPreview, type Task } from './api.ts'
import { formatLikely } from './likely-dates.ts'
import { isAhead, stateMessage } from './task-messages.ts'

const AFTER_MS = 300

type Props = {
  /** Null while it is incomplete. */
  task: NewTask | null
  /** What a group is for: `4 tires`. */
  parts?: string | null
}

/** Says what follows from a task's limits and start: `Next in 500 mi, about 12 weeks`. */
export function TaskPreview({ task, parts = null }: Props) {
  const { client } = useAtomValue(backendAtom)
  const today = useAtomValue(todayAtom)
  const formats = useHeldFormats()
  const content = task && JSON.stringify(task)
  const [preview, setPreview] = useState<{ of: string; due: Task } | null>(null)
  useEffect(() => {
    const aborter = new AbortController()
    const read = async (content: string) => {
      const due = await readPreview(client, JSON.parse(content) as NewTask, aborter.signal)
      setPreview({ of: content, due })
    }
    // Only a help: if it can't be read, the form still works.
    const timer = setTimeout(() => content && read(content).catch(() => undefined), AFTER_MS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [client, content])
  const due = preview?.of === content ? preview?.due : undefined
  const text = due
    ? [stateMessage(due, formats), formatLikely(due, today, formats)].filter(Boolean).join(', ')
    : ''
  return (
    <p role="status" className="note" data-wide>
      {due && isAhead(due) ? `Next ${text}` : upperFirst(text)}
      {due && parts !== null && `, on ${parts}. One line in Due; Done counts for all of them.`}
    </p>
  )
}
