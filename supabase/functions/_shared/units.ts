/** The product's rounded mile, everywhere. */
export const METERS_PER_MILE = 1609
