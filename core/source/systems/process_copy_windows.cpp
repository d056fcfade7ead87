#include "core/source/contract/process_copy.h"

namespace highwater::source {

Result<void> checkProcessCopy(std::uint32_t /*pid*/) {
    return Error{ErrorKind::Unsupported, "Highwater can copy a running process on Linux only."};
}

Result<std::unique_ptr<ProcessCopy>> copyProcess(std::uint32_t pid, const std::function<std::int64_t()>& /*clock*/,
                                                 const std::stop_token& /*stop*/) {
    return checkProcessCopy(pid).error();
}

} // namespace highwater::source
