import { TYPES } from '../supabase/functions/_shared/limits.ts'
import { describe, expect, it } from 'vitest'
import { sampleLog } from './log.ts'
import { sampleUser } from './rider.ts'
import { sampleService } from './service.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const log = sampleLog(NOW)
const periodsOf = (name: string) => log.filter((row) => row.name.includes(name))

describe('the sample log', () => {
  it('has 55 to 75 items, some on every bike', () => {
    expect(log.length).toBeGreaterThanOrEqual(55)
    expect(log.length).toBeLessThanOrEqual(75)
    const bikes = sampleUser(NOW).gear.map((bike) => bike.id)
    expect(new Set(log.map((row) => row.bikeId))).toEqual(new Set(bikes))
  })

  it('has items of every type and work without one', () => {
    const types = new Set(log.map((row) => row.type))
    expect(types).toEqual(new Set([...TYPES, null]))
  })

  it('ends a part on the day its successor starts', () => {
    const chains = log.filter((row) => row.name.includes('HG701') || row.name.includes('X11SL'))
    expect(chains.length).toBeGreaterThan(3)
    for (const [index, chain] of chains.entries()) {
      expect(chain.dateEnded).toBe(chains[index + 1]?.dateStarted ?? null)
    }
  })

  it('has a wheelset on two bikes, alternating chains and a stored saddle', () => {
    const wheels = periodsOf('Hunt 44')
    expect(new Set(wheels.map((row) => row.part_id)).size).toBe(1)
    expect(new Set(wheels.map((row) => row.bikeId)).size).toBe(2)
    expect(new Set(periodsOf('Waxed chain').map((row) => row.part_id)).size).toBe(2)
    expect(periodsOf('winter saddle').at(-1)?.ended_as).toBe('stored')
  })

  it('has nothing from the future', () => {
    const early = sampleLog(new Date('2022-01-01T12:00:00Z'))
    expect(early.length).toBeGreaterThan(5)
    for (const row of early) {
      expect(row.dateStarted < '2022-01-02').toBe(true)
      expect(row.dateEnded === null || row.dateEnded < '2022-01-02').toBe(true)
    }
  })
})

it('sample tasks are on parts that are in use, and were done after they were installed', () => {
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
