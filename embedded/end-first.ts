// Makes Linux end this command rather than the tracker if memory runs out. Loaded before anything that needs memory.
import { writeFileSync } from 'node:fs'

try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Other systems have no such file.
}
