/** Names what is read from the backend. A key also stands for all keys that begin with it. */
export type ResourceKey = readonly [string, ...(string | number)[]]

/** A key for each bike, part or the like, and one for all of them. */
const per =
  (name: string) =>
  (...which: (string | number)[]): ResourceKey => [name, ...which]

/** Everything that is read from the backend. A write names what it makes stale. */
export const KEYS = {
  bikes: ['bikes'],
  syncs: ['syncs'],
  /** What a sync changed. */
  changes: per('changes'),
  /** By gear. */
  rides: per('rides'),
  /** By bike. */
  firstRide: per('first-ride'),
  /** By bike, and by the day that it is for. */
  usage: per('usage'),
  /** By bike. */
  log: per('log'),
  items: ['items'],
  trash: ['trash'],
  /** By bike. */
  timeline: per('timeline'),
  tasks: ['tasks'],
  /** By bike and task. */
  forecast: per('forecast'),
  /** When tasks were done, by part or bike. */
  services: per('services'),
  /** The details of a part. */
  part: per('part'),
  stored: ['stored'],
  lifetimes: ['lifetimes'],
  chosenLifetimes: ['lifetimes', 'chosen'],
  spending: ['spending'],
  garage: ['garage'],
  checks: ['checks'],
} as const satisfies Record<string, ResourceKey | (() => ResourceKey)>

/** What depends on the rides, or on what day it is. */
export const FROM_RIDES: readonly ResourceKey[] = [
  KEYS.bikes,
  KEYS.rides(),
  KEYS.firstRide(),
  KEYS.usage(),
  KEYS.timeline(),
  KEYS.tasks,
  KEYS.services(),
  KEYS.part(),
  KEYS.stored,
  KEYS.lifetimes,
  KEYS.spending,
  KEYS.garage,
  KEYS.checks,
]
