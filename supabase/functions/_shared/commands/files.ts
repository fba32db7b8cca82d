import * as v from 'valibot'
import { MAX_FILE_BYTES } from '../files/limits.ts'
import { CodedError } from '../http/errors.ts'
import { MAX_LENGTH } from '../limits.ts'
import { read, write } from './command.ts'
import { receiveFile } from './receive-file.ts'
import {
  answerOf,
  Count,
  field,
  Flag,
  Id,
  inputOf,
  nonBlank,
  optional,
  sayList,
  Text,
  writtenOf,
} from './fields.ts'

const entryId = field(Id, 'The entry’s id.')
const fileId = field(Id, 'The file’s id.')

const File = v.strictObject({
  id: fileId,
  name: field(Text, 'The file’s name.'),
  media_type: field(Text, 'What it is: `image/jpeg`, `image/png`, `image/webp` or `application/pdf`.'),
  size: field(Count, 'Its size in bytes.'),
  added_at: field(Text, 'When it was added.'),
})

const listFiles = read({
  name: 'list_files',
  title: 'List the files of an entry',
  path: '/v1/log/{id}/files',
  description:
    'Lists the photos and receipts of an entry of the log, oldest first. The entry’s id comes from `list_entries`. `get_file` shows one.',
  Input: inputOf({ id: entryId }),
  Answer: answerOf({ files: field(v.array(File), 'The files.') }),
  async run({ id }, { runSql }) {
    const { files } = (await runSql('files', { item_id: id })).answer
    return {
      files: files.map(({ id, name, media_type, size, added_at }) => ({
        id,
        name,
        media_type,
        size,
        added_at,
      })),
    }
  },
  say: ({ files }) =>
    sayList(
      files.map(({ id, name, media_type, size }) => `${id}: ${name} (${media_type}, ${size} bytes)`),
      'The entry has no files.',
    ),
})

const addFile = write({
  name: 'add_file',
  title: 'Add a file to an entry',
  path: '/v1/log/{id}/files',
  takesFile: true,
  description:
    'Adds a photo or a receipt to an entry of the log: the body is a JPEG, PNG or WebP picture or a PDF of up to 5 MB, whatever its content type says. Where and with what a picture was taken is removed, and so are texts in it. An entry has up to 20 files.',
  Input: inputOf({
    id: entryId,
    name: optional(nonBlank(MAX_LENGTH.entry_files.name), 'The file’s name. Default: by its type.'),
  }),
  Answer: writtenOf({ file_id: field(Id, 'The id of the new file.') }),
  run: ({ id: itemId, name }, { runSql, request, key }) =>
    receiveFile(request!, { itemId, name, key }, MAX_FILE_BYTES, runSql),
})

const getFile = read({
  name: 'get_file',
  title: 'Get a file',
  path: '/v1/files/{id}',
  givesFile: true,
  description: 'Returns a photo or a receipt of the log. The id comes from `list_files`.',
  Input: inputOf({
    id: fileId,
    thumbnail: optional(Flag, 'Whether to return a small picture instead, if there is one.', false),
  }),
  Answer: answerOf({
    name: File.entries.name,
    media_type: File.entries.media_type,
    content: field(Text, 'The bytes as base64.'),
  }),
  async run({ id: file_id, thumbnail }, { runSql }) {
    const { name, media_type, content } = (await runSql('file', { file_id, thumbnail })).answer
    return { name, media_type, content }
  },
  say: ({ name, media_type }) => `${name} (${media_type})`,
})

const removeFile = write({
  name: 'remove_file',
  title: 'Remove a file',
  method: 'DELETE',
  path: '/v1/files/{id}',
  description:
    'Removes a photo or a receipt from its entry. `undo` brings it back. The id comes from `list_files`.',
  Input: inputOf({ id: fileId }),
  Answer: writtenOf({}),
  async run({ id: file_id }, { runSql }) {
    const { change } = (await runSql('remove_file', { file_id })).answer
    if (change === null) throw new CodedError('unknown_file')
    return { change }
  },
})

export const fileCommands = [listFiles, addFile, getFile, removeFile]
