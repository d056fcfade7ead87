#pragma once

#include "core/etl/raw_record.h"
#include "core/event/trace_notes.h"

#include <optional>
#include <string>
#include <vector>

namespace highwater::decode {

/// The text of a PerfInfo Mark (group 15 opcode 34): xperf -m and WmiSetMark write UTF-16; the kernel's older format is
/// 8-bit. Trailing NULs are not part of it.
[[nodiscard]] std::string decodeMarkName(const etl::RawRecord& record);

/// A rename or removal of a mark, from Highwater's own provider: ticks of the mark i64, name UTF-8. None if too short.
[[nodiscard]] std::optional<MarkEdit> decodeMarkEdit(const etl::RawRecord& record);

/// Memory of each process (group 2 opcode 125; Microsoft-Windows-Kernel-Memory event 2): count u32, then per process
/// pid u32, working set, commit, virtual size, private working set ... in pages of 4096 bytes. Windows shows the commit
/// charge as private bytes. The times are not set. None if its size is that of no known layout with this count, or a
/// number of pages is impossible.
[[nodiscard]] std::optional<std::vector<PrivateBytesSample>> decodeProcessMemory(const etl::RawRecord& record);

} // namespace highwater::decode
