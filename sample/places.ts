import type { Day } from './calendar.ts'
import { GRAVEL, ROAD, TRAIL } from './gear.ts'

/** Where a ride begins. */
export interface Place {
  lat: number
  lng: number
  locality: string
  administrative_area: string
  country_code: string
  /** IANA. */
  zone: string
  /** Seconds of the zone's standard time. */
  utcOffset: number
}

const PORTLAND = {
  locality: 'Portland',
  administrative_area: 'OR',
  country_code: 'US',
  zone: 'America/Los_Angeles',
  utcOffset: -28_800,
}
export const HOME: Place = { ...PORTLAND, lat: 45.5341, lng: -122.6362 }
export const WORK: Place = { ...PORTLAND, lat: 45.4991, lng: -122.6709 }
export const TRAILHEAD: Place = { ...PORTLAND, lat: 45.5762, lng: -122.7836 }

/** Days away from home, on one of the own bikes or on a rented one (null). */
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
    place: {
      lat: 45.6793,
      lng: -111.0373,
      locality: 'Bozeman',
      administrative_area: 'MT',
      country_code: 'US',
      zone: 'America/Denver',
      utcOffset: -25_200,
    },
  },
  {
    from: '2022-09-03',
    to: '2022-09-11',
    kind: 'road',
    gearId: null,
    names: ['Els Àngels', 'Rocacorba', 'Sant Hilari', 'Coast road to Tossa', 'Santa Pellaia'],
    place: {
      lat: 41.9794,
      lng: 2.8214,
      locality: 'Girona',
      administrative_area: 'CT',
      country_code: 'ES',
      zone: 'Europe/Madrid',
      utcOffset: 3_600,
    },
  },
  {
    from: '2023-07-15',
    to: '2023-07-24',
    kind: 'road',
    gearId: ROAD,
    names: ['Über den Gotthard', 'Furkapass früh am Morgen', 'Klausenpass', 'Sustenpass', 'Oberalppass'],
    place: {
      lat: 46.6357,
      lng: 8.5939,
      locality: 'Andermatt',
      administrative_area: 'UR',
      country_code: 'CH',
      zone: 'Europe/Zurich',
      utcOffset: 3_600,
    },
  },
  {
    from: '2024-10-05',
    to: '2024-10-12',
    kind: 'road',
    gearId: null,
    names: ['Shimanami Kaidō', 'Ōmishima loop', 'Tobishima Kaidō', 'Back over the bridges'],
    place: {
      lat: 34.4089,
      lng: 133.2053,
      locality: 'Onomichi',
      administrative_area: '34',
      country_code: 'JP',
      zone: 'Asia/Tokyo',
      utcOffset: 32_400,
    },
  },
  {
    from: '2026-06-20',
    to: '2026-06-28',
    kind: 'gravel',
    gearId: GRAVEL,
    names: ['Strade bianche', "L'Eroica, a bit of it", 'Radda and back', 'Val d’Orcia'],
    place: {
      lat: 43.3188,
      lng: 11.3308,
      locality: 'Siena',
      administrative_area: '52',
      country_code: 'IT',
      zone: 'Europe/Rome',
      utcOffset: 3_600,
    },
  },
]

export const holidayOn = (day: Day): Holiday | undefined =>
  HOLIDAYS.find((holiday) => holiday.from <= day && day <= holiday.to)
