import type { Day } from './calendar.ts'
import { GRAVEL, ROAD, TRAIL } from './gear.ts'

export interface Place {
  lat: number
  /** IANA time zone. */
  zone: string
  /** Standard time's UTC offset in seconds. */
  utcOffset: number
}

const PORTLAND = { zone: 'America/Los_Angeles', utcOffset: -28_800 }
export const HOME: Place = { ...PORTLAND, lat: 45.5341 }
export const WORK: Place = { ...PORTLAND, lat: 45.4991 }
export const TRAILHEAD: Place = { ...PORTLAND, lat: 45.5762 }

/** Days away from home, riding one of the rider's bikes or, if `gearId` is null, a rental. */
export interface Holiday {
  from: Day
  to: Day
  kind: 'road' | 'gravel' | 'trail'
  gearId: number | null
  names: [string, ...string[]]
  place: Place
}

const HOLIDAYS: Holiday[] = [
  {
    from: '2021-08-14',
    to: '2021-08-21',
    kind: 'trail',
    gearId: TRAIL,
    names: ['Bangtail Divide', 'Emerald Lake', 'Leverich Canyon', 'Hyalite, out and back'],
    place: { lat: 45.6793, zone: 'America/Denver', utcOffset: -25_200 },
  },
  {
    from: '2022-09-03',
    to: '2022-09-11',
    kind: 'road',
    gearId: null,
    names: ['Els Àngels', 'Rocacorba', 'Sant Hilari', 'Coast road to Tossa', 'Santa Pellaia'],
    place: { lat: 41.9794, zone: 'Europe/Madrid', utcOffset: 3_600 },
  },
  {
    from: '2023-07-15',
    to: '2023-07-24',
    kind: 'road',
    gearId: ROAD,
    names: ['Über den Gotthard', 'Furkapass früh am Morgen', 'Klausenpass', 'Sustenpass', 'Oberalppass'],
    place: { lat: 46.6357, zone: 'Europe/Zurich', utcOffset: 3_600 },
  },
  {
    from: '2024-10-05',
    to: '2024-10-12',
    kind: 'road',
    gearId: null,
    names: ['Shimanami Kaidō', 'Ōmishima loop', 'Tobishima Kaidō', 'Back over the bridges'],
    place: { lat: 34.4089, zone: 'Asia/Tokyo', utcOffset: 32_400 },
  },
  {
    from: '2026-06-20',
    to: '2026-06-28',
    kind: 'gravel',
    gearId: GRAVEL,
    names: ['Strade bianche', "L'Eroica, a bit of it", 'Radda and back', 'Val d’Orcia'],
    place: { lat: 43.3188, zone: 'Europe/Rome', utcOffset: 3_600 },
  },
]

export const holidayOn = (day: Day): Holiday | undefined =>
  HOLIDAYS.find((holiday) => holiday.from <= day && day <= holiday.to)
