import { type Day, weekOf } from './calendar.ts'
import type { Kind } from './outing.ts'
import type { Random } from './random.ts'

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

/** A ride name: the service's suggestion or the rider's own. */
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
