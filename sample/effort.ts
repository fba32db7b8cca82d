import { POWER_METER_FITTED, ROAD } from './gear.ts'
import { KINDS } from './kinds.ts'
import type { Kind, Outing } from './outing.ts'
import type { Random } from './random.ts'
import { six } from './six.ts'
import type { Trip } from './types.ts'

type Heart = Pick<Trip, 'avg_hr' | 'max_hr' | 'min_hr' | 'hr_zones'>
type Cadence = Pick<Trip, 'avg_cad' | 'max_cad' | 'min_cad'>
type Power = Pick<Trip, 'avg_watts' | 'max_watts' | 'min_watts' | 'work' | 'calories'>

/** Beats a minute; nulls on the many short rides without a strap. */
export function heartOf({ kind }: Outing, seconds: number, random: Random): Heart {
  const { heart, strap } = KINDS[kind]
  if (!random.chance(strap)) return { avg_hr: null, max_hr: null, min_hr: null, hr_zones: null }
  const average = random.integer(...heart)
  return {
    avg_hr: average,
    max_hr: Math.min(186, average + random.integer(18, 36)),
    min_hr: average - random.integer(32, 54),
    hr_zones: zonesOf(average, seconds, random),
  }
}

/** The seconds in motion, shared out among the five zones around the average. */
function zonesOf(average: number, seconds: number, random: Random): NonNullable<Trip['hr_zones']> {
  const centre = (average - 92) / 16
  const weights = [1, 2, 3, 4, 5].map((zone) => Math.exp(-((zone - centre) ** 2)) * random.between(0.7, 1.3))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const [, second = 0, third = 0, fourth = 0, fifth = 0] = weights.map((weight) =>
    Math.floor((seconds * weight) / total),
  )
  return { 1: seconds - second - third - fourth - fifth, 2: second, 3: third, 4: fourth, 5: fifth }
}

/** Turns a minute; nulls on the bikes without a sensor. */
export function cadenceOf({ kind, gearId }: Outing, random: Random): Cadence {
  const { cadence } = KINDS[kind]
  if (!cadence || gearId === null) return { avg_cad: null, max_cad: null, min_cad: null }
  const average = random.integer(...cadence)
  return {
    avg_cad: average,
    max_cad: average + random.integer(14, 34),
    min_cad: average - random.integer(30, 50),
  }
}

function typicalWatts(kind: Kind, climbRate: number): number {
  if (kind === 'trainer') return 168
  return (kind === 'errand' ? 70 : 118) + climbRate * 3.2
}

/** Watts: measured on the trainer and by the road bike's pedals, elsewhere the service's estimate. */
export function powerOf(outing: Outing, seconds: number, climbRate: number, random: Random): Power {
  const average = six(random.between(0.9, 1.1) * typicalWatts(outing.kind, climbRate))
  const kilojoules = (average * seconds) / 1000
  const measured = outing.kind === 'trainer' || (outing.gearId === ROAD && outing.day >= POWER_METER_FITTED)
  return {
    avg_watts: average,
    max_watts: measured
      ? Math.round(average * random.between(1.5, outing.kind === 'trainer' ? 2.2 : 5))
      : null,
    min_watts: measured ? random.integer(0, 14) : null,
    work: measured ? Math.round(kilojoules) : null,
    calories: Math.round(kilojoules * random.between(0.96, 1.06)),
  }
}
