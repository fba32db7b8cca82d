import type { Kind } from './outing.ts'

type Range = [number, number]

/** What sets the kinds of rides apart: km/h in motion, metres climbed per km, pauses per second in motion, beats a minute. */
export interface KindFacts {
  speed: Range
  climb: Range
  pauses: Range
  heart: Range
  /** The share of rides with a heart rate strap. */
  strap: number
  cadence: Range | null
  subSport: number
}

export const KINDS: Record<Kind, KindFacts> = {
  road: {
    speed: [24, 30],
    climb: [5, 14],
    pauses: [0.04, 0.28],
    heart: [132, 152],
    strap: 0.94,
    cadence: [78, 89],
    subSport: 7,
  },
  gravel: {
    speed: [19.5, 25],
    climb: [8, 17],
    pauses: [0.06, 0.3],
    heart: [134, 153],
    strap: 0.94,
    cadence: [72, 84],
    subSport: 46,
  },
  trail: {
    speed: [11.5, 16],
    climb: [17, 30],
    pauses: [0.12, 0.55],
    heart: [136, 155],
    strap: 0.9,
    cadence: null,
    subSport: 8,
  },
  commute: {
    speed: [17.5, 22],
    climb: [4, 9],
    pauses: [0.06, 0.22],
    heart: [112, 131],
    strap: 0.12,
    cadence: null,
    subSport: 0,
  },
  errand: {
    speed: [15, 19.5],
    climb: [3, 8],
    pauses: [0.3, 2.5],
    heart: [105, 121],
    strap: 0.05,
    cadence: null,
    subSport: 0,
  },
  trainer: {
    speed: [27, 33],
    climb: [0, 0],
    pauses: [0, 0.03],
    heart: [128, 148],
    strap: 0.97,
    cadence: [76, 92],
    subSport: 6,
  },
}
