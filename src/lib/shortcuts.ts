/** A key, or keys that do the like, and what they do. */
export type Shortcut = { keys: readonly string[]; does: string }

/** The shortcuts of a place, as the table of shortcuts tells them. They are listed beside the code that hears the keys. */
export type ShortcutGroup = { place: string; shortcuts: readonly Shortcut[] }
