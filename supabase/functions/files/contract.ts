import * as v from 'valibot'
import { Count, Id, Instant } from '../_shared/contracts/fields.ts'
import { MAX_THUMBNAIL_BYTES } from '../_shared/files/limits.ts'

const numberIn = (schema: v.GenericSchema<number>) =>
  v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), schema)

/** The query of a request that adds a file, whose body is the thumbnail and the file. */
export const Upload = v.strictObject({
  item_id: numberIn(Id),
  name: v.exactOptional(v.string()),
  /** The length of the thumbnail. 0: none. */
  thumbnail: v.exactOptional(numberIn(v.pipe(v.number(), v.maxValue(MAX_THUMBNAIL_BYTES)))),
  /** Repeating a request with its key adds nothing. */
  key: v.pipe(v.string(), v.uuid()),
})

/** The query of a request for a list, or for the bytes of a file. */
export const Wanted = v.union([
  v.strictObject({ item_id: numberIn(Id) }),
  v.strictObject({ part_id: numberIn(Id) }),
  v.strictObject({ id: numberIn(Id), thumbnail: v.exactOptional(v.string()) }),
])

export const Added = v.strictObject({ file_id: Id, change: v.nullable(v.string()) })

export const File = v.strictObject({
  id: Id,
  item_id: Id,
  name: v.string(),
  media_type: v.picklist(['image/jpeg', 'image/png', 'image/webp', 'application/pdf']),
  size: Count,
  added_at: Instant,
  in_passport: v.boolean(),
  has_thumbnail: v.boolean(),
})

/** Oldest first. */
export const Files = v.strictObject({ files: v.array(File) })

export type File = v.InferOutput<typeof File>
export type Files = v.InferOutput<typeof Files>
export type Added = v.InferOutput<typeof Added>
