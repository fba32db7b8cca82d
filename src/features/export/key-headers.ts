/** The columns of the log's CSV that say which record a line is about, and of which bike. */
export const KEY_HEADERS = { id: 'ID', bikeId: 'Bike ID', bike: 'Bike' } as const
