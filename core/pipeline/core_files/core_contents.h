#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/files/file_data.h"
#include "core/pipeline/core_files/core_notes.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::pipeline {

/// Memory of a process in a core file: [begin, end), of which the first bytes may be in the file.
struct CoreSegment {
    Address begin = 0;
    Address end = 0;
    std::uint64_t offset = 0; ///< in the file
    ByteCount bytes = 0;      ///< of these, in the file
    std::uint32_t flags = 0;  ///< kRead, kWrite and kExecute of mapping_flag
    bool isCut = false;       ///< the file ends before the last of its bytes
};

struct CoreContents {
    std::vector<CoreSegment> segments; ///< by address, multiples of pages, without overlaps
    CoreNotes notes;
    std::vector<FileRange> data; ///< parts of the file that may contain other bytes than zeros; empty: unknown
    ByteCount cutOff = 0;        ///< bytes of segments and notes that are missing at the end of the file
    std::uint64_t invalid = 0;   ///< segments that overlap others, or are no pages, and are left out
};

/// Reads the headers and notes of a core file of a 64-bit x86 Linux process, not its memory. `name`: of the file, in
/// errors. Time and memory: proportional to the number of headers, and to the size of notes. Errors: NotATrace,
/// Unsupported, Damaged. Any thread.
[[nodiscard]] Result<CoreContents> readCore(ByteSpan file, std::string_view name);

} // namespace highwater::pipeline
