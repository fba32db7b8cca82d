import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'

import { AXES } from '../../../supabase/functions/_shared/axes.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { ResourceView } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Explanation, Task } from './api.ts'
import { explanationAtom } from './atoms.ts'
import styles from './ForecastDialog.module.css'
import { formatDays, formatLikely, formatSpan } from './likely-dates.ts'
import { taskMessage } from './task-messages.ts'

type Props = { task: Task; onClose: () => void }

export function ForecastDialog({ task, onClose }: Props) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const explanation = useAtomValue(explanationAtom(task))
  const reload = useSetAtom(explanationAtom(task).reloadAtom)
  return (
    <Dialog
      title={`Likely ${formatLikely(task, today, formats)}`}
      lead={[task.item_name, taskMessage(task, formats)].filter(Boolean).join(' · ')}
      onClose={onClose}
    >
      <div className="stack">
        <ResourceView
          resource={explanation}
          failed="The explanation could not be loaded."
          retry={reload}
          loading={<Skeleton width="100%" height="12rem" />}
        >
          {(explanation) => contentOf(explanation, task, formats)}
        </ResourceView>
      </div>
    </Dialog>
  )
}

function contentOf(explanation: Explanation | null, task: Task, formats: Formats): ReactNode {
  // Windows are cut off at two years, so a chart would be misleading.
  if (explanation === null || task.forecast_note === 'over_a_year') return <p>{withoutWindows(task)}</p>
  return <Windows task={task} explanation={explanation} formats={formats} />
}

function withoutWindows({ forecast_note }: Task): string {
  if (forecast_note === 'first_year') {
    return 'This bike’s first ride was less than a year ago, so the date is based on its last 90 days. After a year, you get a range.'
  }
  return forecast_note === 'resting'
    ? 'This bike had rides on fewer than three of the last 90 days, which is too few for a date.'
    : 'The rides so far suggest that this is more than a year away.'
}

function Windows({ task, explanation, formats }: { task: Task; explanation: Explanation; formats: Formats }) {
  const { axis, remaining, windows, range, score } = explanation
  const amount = AXES[axis].amount(remaining, formats, false)
  const hasRange = task.forecast_note !== 'low_score'
  return (
    <>
      <Chart explanation={explanation} hasRange={hasRange} label={`How long ${amount} took before`} />
      <p>
        {`How long ${amount} took before: looking back from each day of the last year`}
        {windows.earlier.length > 0 && ', and from this time of year in earlier years, adjusted to your pace'}
        {`. The likely time is ${formatDays(range.likely)}`}
        {hasRange &&
          `. The highlighted range, ${formatSpan(range)}, also allows for how far past forecasts were off`}
        {'.'}
      </p>
      <p>
        {score.times === 0
          ? 'No forecast of the last two years can be checked yet.'
          : `In the last two years, the range for ${amount} on this bike was right ${score.held} of ${score.times} times.`}
        {!hasRange && ' A range is shown after six checks.'}
      </p>
    </>
  )
}

const BARS = 30
const [WIDTH, HEIGHT, GAP] = [480, 96, 2]

type ChartProps = { explanation: Explanation; hasRange: boolean; label: string }

/** A histogram of how many days the amount took. Recent and earlier windows each count for half, as in the forecast. */
function Chart({ explanation: { windows, range }, hasRange, label }: ChartProps) {
  const longest = Math.max(...windows.recent, ...windows.earlier)
  const step = Math.ceil(longest / BARS)
  const shares = Array.from({ length: Math.ceil(longest / step) }, () => 0)
  for (const list of [windows.recent, windows.earlier]) {
    for (const days of list) shares[Math.ceil(days / step) - 1]! += 1 / list.length
  }
  const most = Math.max(...shares)
  const width = WIDTH / shares.length
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {shares.map((share, index) => (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- the index identifies a bar
            key={index}
            data-in-range={
              hasRange && (index + 1) * step >= range.early && index * step < (range.late ?? Infinity)
            }
            x={index * width}
            y={HEIGHT * (1 - share / most)}
            width={Math.max(1, width - GAP)}
            height={(HEIGHT * share) / most}
          />
        ))}
      </svg>
      <figcaption className="ends tiny" aria-hidden>
        <span>0</span>
        <span>{formatDays(shares.length * step)}</span>
      </figcaption>
    </figure>
  )
}
