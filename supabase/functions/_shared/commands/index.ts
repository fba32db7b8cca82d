import type { Command } from './command.ts'
import { partActions } from './part-actions.ts'
import { checkCommands } from './checks.ts'
import { fileCommands } from './files.ts'
import { historyCommands } from './history.ts'
import { logCommands } from './log.ts'
import { partCommands } from './parts.ts'
import { rideCommands } from './rides.ts'
import { spendingCommands } from './spending.ts'
import { taskActions } from './task-actions.ts'
import { taskCommands } from './tasks.ts'

/** Everything that other software may ask or do. */
export const COMMANDS: readonly Command[] = [
  ...taskCommands,
  ...taskActions,
  ...partCommands,
  ...partActions,
  ...logCommands,
  ...fileCommands,
  ...rideCommands,
  ...spendingCommands,
  ...checkCommands,
  ...historyCommands,
]
