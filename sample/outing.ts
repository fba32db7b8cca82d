import type { Day } from './calendar.ts'
import type { Place } from './places.ts'

export type Kind = 'road' | 'gravel' | 'trail' | 'commute' | 'errand' | 'trainer'

/** A ride as the rider planned it. `tripOf` turns it into a recorded trip. */
export interface Outing {
  day: Day
  /** Seconds after midnight, in local time at the start. */
  startsAt: number
  kind: Kind
  gearId: number | null
  place: Place
  /** The destination of a one-way ride. */
  to?: Place
  name: string
  description?: string
  kilometers: number
  /** `by hand`: only a distance was entered. `early`: durations are stored as clock times. */
  recorded?: 'by hand' | 'early'
  /** Set if the ride was uploaded much later. */
  uploadedAt?: string
}

type Range = [low: number, high: number]

interface KindFacts {
  /** km/h while moving. */
  speed: Range
  /** Meters climbed per kilometer. */
  climb: Range
  /** Seconds stopped per second moving. */
  pauses: Range
  heart: Range
  /** The share of rides with a heart rate strap. */
  strap: number
  /** Null without a sensor. */
  cadence: Range | null
}

export const KINDS: Record<Kind, KindFacts> = {
  road: {
    speed: [24, 30],
    climb: [5, 14],
    pauses: [0.04, 0.28],
    heart: [132, 152],
    strap: 0.94,
    cadence: [78, 89],
  },
  gravel: {
    speed: [19.5, 25],
    climb: [8, 17],
    pauses: [0.06, 0.3],
    heart: [134, 153],
    strap: 0.94,
    cadence: [72, 84],
  },
  trail: {
    speed: [11.5, 16],
    climb: [17, 30],
    pauses: [0.12, 0.55],
    heart: [136, 155],
    strap: 0.9,
    cadence: null,
  },
  commute: {
    speed: [17.5, 22],
    climb: [4, 9],
    pauses: [0.06, 0.22],
    heart: [112, 131],
    strap: 0.12,
    cadence: null,
  },
  errand: {
    speed: [15, 19.5],
    climb: [3, 8],
    pauses: [0.3, 2.5],
    heart: [105, 121],
    strap: 0.05,
    cadence: null,
  },
  trainer: {
    speed: [27, 33],
    climb: [0, 0],
    pauses: [0, 0.03],
    heart: [128, 148],
    strap: 0.97,
    cadence: [76, 92],
  },
}
