import { type Day, monthOf, weekdayOf, weekOf } from './calendar.ts'
import {
  COMMUTER,
  GIVEN_AWAY,
  GIVEN_AWAY_ON,
  GRAVEL,
  GRAVEL_BOUGHT,
  ROAD,
  TRAIL,
  TRAIL_RETIRED,
} from './gear.ts'
import type { Kind, Outing } from './outing.ts'
import { type Holiday, holidayOn, HOME, TRAILHEAD, WORK } from './places.ts'
import { type Random, randomFor } from './random.ts'

/** The rider's motivation to ride outdoors, from 0 to 1, by month. */
const SEASON = [0.42, 0.5, 0.64, 0.76, 0.92, 1, 1, 0.97, 0.9, 0.74, 0.52, 0.4]

// The Wednesday group starts numbering its rides after this week, around April 1.
const LAST_WEEK_OF_WINTER = 12

/** Returns a day's rides, which never overlap. */
export function outingsOn(day: Day): Outing[] {
  const random = randomFor(`day ${day}`)
  const holiday = holidayOn(day)
  if (holiday) return random.chance(0.85) ? [holidayRide(random, day, holiday)] : []
  const away = randomFor(`week ${day.slice(0, 4)} ${weekOf(day)}`).chance(0.05)
  if (away) return []
  const season = SEASON[monthOf(day) - 1] ?? 0
  const weekday = weekdayOf(day)
  const weekend = weekday === 0 || weekday === 6
  return weekend ? weekendRides(random, day, season) : workdayRides(random, day, season)
}

function workdayRides(random: Random, day: Day, season: number): Outing[] {
  const rides: Outing[] = []
  if (random.chance(0.3 * season)) rides.push(...commute(random, day))
  else if (random.chance(0.05 * season)) rides.push(outing(random, day, 'errand', [13, 15], [3, 9]))

  const weekday = weekdayOf(day)
  if (weekday === 3 && season > 0.7 && random.chance(0.75)) {
    rides.push({
      ...outing(random, day, 'road', [18.2, 18.6], [28, 48]),
      name: `Ride ${weekOf(day) - LAST_WEEK_OF_WINTER}`,
    })
  } else if (weekday !== 1 && season < 0.6 && random.chance(0.42)) {
    rides.push(outing(random, day, 'trainer', [18.7, 20], [18, 38]))
  }
  return rides
}

function commute(random: Random, day: Day): Outing[] {
  const there = outing(random, day, 'commute', [7.2, 8.2], [5.6, 6.4])
  const back = outing(random, day, 'commute', [16.4, 17.2], random.chance(0.25) ? [9, 14] : [5.6, 6.6])
  return [
    { ...there, to: WORK },
    { ...back, place: WORK, to: HOME },
  ]
}

function weekendRides(random: Random, day: Day, season: number): Outing[] {
  const saturday = weekdayOf(day) === 6
  if (!random.chance(saturday ? 0.35 + 0.6 * season : 0.18 + 0.54 * season)) return []
  const kind = weekendKind(random, day, season)
  const long: [number, number] = kind === 'trail' ? [16, 36] : [50 + 20 * season, 70 + 65 * season]
  const short: [number, number] = kind === 'trail' ? [12, 24] : [30, 45 + 30 * season]
  const hours: [number, number] = random.chance(0.8) ? [7.6, 10.5] : [11.6, 13.5]
  return [outing(random, day, kind, hours, saturday ? long : short)]
}

function weekendKind(random: Random, day: Day, season: number): Kind {
  if (day < TRAIL_RETIRED && random.chance(0.3)) return 'trail'
  // The rider prefers the gravel bike in rain and road salt.
  if (day >= GRAVEL_BOUGHT && random.chance(season < 0.7 ? 0.65 : 0.35)) return 'gravel'
  return 'road'
}

function outing(
  random: Random,
  day: Day,
  kind: Kind,
  hours: [number, number],
  kilometers: [number, number],
): Outing {
  const startsAt = Math.round(random.between(...hours) * 3600)
  return {
    day,
    startsAt,
    kind,
    gearId: random.chance(0.02) ? null : gearFor(random, day, kind),
    place: kind === 'trail' ? TRAILHEAD : HOME,
    name: nameOf(random, kind, day, startsAt),
    kilometers: random.between(...kilometers),
  }
}

const BIKE_FOR: Record<Kind, number> = {
  road: ROAD,
  trainer: ROAD,
  gravel: GRAVEL,
  trail: TRAIL,
  commute: COMMUTER,
  errand: COMMUTER,
}

function gearFor(random: Random, day: Day, kind: Kind): number {
  const bike = BIKE_FOR[kind]
  const oldBike = bike === COMMUTER && day < GIVEN_AWAY_ON && random.chance(0.4)
  return oldBike ? GIVEN_AWAY : bike
}

function holidayRide(random: Random, day: Day, { kind, gearId, names, place }: Holiday): Outing {
  const startsAt = random.integer(7 * 3600, 9.5 * 3600)
  const kilometers = kind === 'trail' ? random.between(18, 42) : random.between(40, 115)
  return { day, startsAt, kind, gearId, place, name: random.pick(names), kilometers }
}

type Names = [string, ...string[]]

const PLACES: Record<Kind, Names> = {
  road: [
    'Sauvie Island Loop',
    'Larch Mountain',
    'Skyline and back',
    'Springwater to Boring',
    'Marine Drive',
    'Council Crest repeats',
    "Newberry, because it's there",
    'Dairy Creek with the club',
    'Coffee loop ☕',
    'Crown Point 🌬️',
    'Café ride',
    'Mt. Tabor laps',
  ],
  gravel: [
    'Leif Erikson',
    'Vernonia gravel',
    'Banks-Vernonia',
    'Hagg Lake the long way',
    'Rock Creek, mud to the axles',
    'Gravel & pie',
    'Bull Run lookout',
  ],
  trail: ['Sandy Ridge', 'Powell Butte', 'Growlers Gulch', 'Stub Stewart', 'Firelane 5', 'Wet roots'],
  commute: ['Commute', 'Rainy commute 🌧️', 'Along the river', 'Commute, headwind both ways'],
  errand: ['Groceries', 'Library', 'Farmers’ market', 'Post office'],
  trainer: ['Trainer', 'Sweet spot 2×20', 'Over-unders', 'Recovery spin', 'Tempo with a film'],
}

export function nameOf(random: Random, kind: Kind, day: Day, startsAt: number): string {
  if (kind === 'trainer') return random.chance(0.5) ? `Trainer ${weekOf(day)}` : random.pick(PLACES.trainer)
  const own = kind === 'commute' ? 0.3 : 0.5
  return random.chance(own) ? random.pick(PLACES[kind]) : `${partOfDay(startsAt)} Ride`
}

function partOfDay(startsAt: number): string {
  const hour = startsAt / 3600
  if (hour < 11.5) return 'Morning'
  return hour < 17 ? 'Afternoon' : 'Evening'
}
