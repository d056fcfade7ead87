#include "core/source/contract/trim_trial.h"

namespace highwater::source {

Result<TrimTrial> tryTrim(std::uint32_t /*pid*/, const std::stop_token& /*stop*/) {
    return Error{ErrorKind::Unsupported, "malloc_trim() can only be tried on Linux because it is a function of glibc."};
}

} // namespace highwater::source
