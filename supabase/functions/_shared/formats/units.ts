/** The spec's rounded mile, used everywhere. */
export const METERS_PER_MILE = 1609
