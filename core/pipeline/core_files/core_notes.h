#pragma once

#include "core/base/byte_reader.h"
#include "core/base/units.h"
#include "core/event/copied_thread.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// A part of a file that the process had mapped: [begin, end).
struct CoreMappedFile {
    Address begin = 0;
    Address end = 0;
    std::uint64_t offset = 0; ///< of `begin` in the file
    std::string name;
};

/// What the notes of a core file describe.
struct CoreNotes {
    std::uint32_t pid = 0;                  ///< as the process itself sees it; 0: unknown
    std::string program;                    ///< up to 15 characters; ""
    std::vector<CopiedThread> threads = {}; ///< without names, except for the first thread of the process
    std::vector<CoreMappedFile> files = {}; ///< by address, multiples of pages, without overlaps
    Address onStack = 0;                    ///< an address on the stack of the first thread; 0: unknown
};

/// Adds the notes in these bytes, up to the first that is damaged. Only registers, ids and names are taken; arguments,
/// signals and other notes are not read. Time and memory: proportional to the bytes. Any thread.
void addCoreNotes(ByteSpan bytes, CoreNotes& notes);
/// Completes them after the last bytes.
void finishNotes(CoreNotes& notes);

} // namespace highwater::pipeline
