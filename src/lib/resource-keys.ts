/** Identifies data from the backend. A key also matches all keys that start with it. */
export type ResourceKey = readonly [string, ...(string | number)[]]

/** Returns a function that creates keys from a name and ids, usually a bike's. Without ids, the key matches all ids. */
const per =
  (name: string) =>
  (...which: (string | number)[]): ResourceKey => [name, ...which]

/** The keys of all data read from the backend. A write lists the keys that it makes stale. */
export const KEYS = {
  bikes: ['bikes'],
  syncs: ['syncs'],
  /** By sync. */
  changes: per('changes'),
  /** By gear. */
  rides: per('rides'),
  firstRide: per('first-ride'),
  /** By bike and day. */
  usage: per('usage'),
  log: per('log'),
  items: ['items'],
  trash: ['trash'],
  timeline: per('timeline'),
  tasks: ['tasks'],
  /** By bike and task. */
  forecast: per('forecast'),
  /** Service events, by part or bike. */
  services: per('services'),
  /** Part details, by part. */
  part: per('part'),
  stored: ['stored'],
  lifetimes: ['lifetimes'],
  chosenLifetimes: ['lifetimes', 'chosen'],
  spending: ['spending'],
  garage: ['garage'],
  checks: ['checks'],
  settings: ['settings'],
  calendarFeed: ['calendar-feed'],
  /** Whether this browser gets notifications. */
  push: ['push'],
  /** Where notifications are sent, and whether that worked. */
  channels: ['channels'],
} as const satisfies Record<string, ResourceKey | (() => ResourceKey)>

/** Data that depends on rides or the current day. */
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
