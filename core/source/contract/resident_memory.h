#pragma once

#include "core/base/result.h"
#include "core/event/resident_sample.h"

#include <cstdint>
#include <optional>

namespace highwater::source {

/// The memory of a process in RAM at this moment, without its time. Nothing if the process has ended or ends during the
/// call. Error: a sentence with the name of the process and the reason.
///
/// Takes 20 to 50 ms for each GB of resident memory on Linux; meanwhile the process cannot map or unmap memory. Its own
/// threads do none of the work. Any thread; each has buffers that it uses again.
[[nodiscard]] Result<std::optional<ResidentSample>> residentMemoryOf(std::uint32_t pid);

} // namespace highwater::source
