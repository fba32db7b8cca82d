import { expect, test } from 'vitest'
import { sampleLog } from './log.ts'
import { sampleService } from './service.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

test('sample tasks are on parts that are in use, and were done after they were installed', () => {
  const inUse = sampleLog(NOW).filter((row) => row.dateEnded === null)
  for (const task of sampleService(NOW)) {
    const items = inUse.filter((row) => row.bikeId === task.bikeId && row.name === task.item)
    expect(items).toHaveLength(task.item === null ? 0 : 1)
    for (const day of task.done) {
      expect(day <= NOW.toISOString().slice(0, 10)).toBe(true)
      expect(day > (items[0]?.dateStarted ?? '')).toBe(true)
    }
    expect(task.done.toSorted().toReversed()).toEqual(task.done)
  }
})
