/** Hears from the owner's other tabs which bike's log has just been written, by its gear_id. */
export const otherTabs = new BroadcastChannel('maintenance-log')

/** Says so to them. */
export function tellOtherTabs(gearId: number): void {
  // The rule takes the channel for a window; a channel is of one origin by itself.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage(gearId)
}
