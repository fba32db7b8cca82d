let latest = 0

/** Returns a higher number with each call. It orders events of this tab, because the device's clock may be set back. */
export const nextInSequence = (): number => (latest += 1)
