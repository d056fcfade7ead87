#pragma once

#include "core/base/result.h"

#include <fmt/format.h>

#include <string_view>

namespace highwater::source {

/// The error of residentMemoryOf(). `process`: "redis-server (1234)". `reason`: the rest of the sentence, without its
/// full stop.
[[nodiscard]] inline Error notSampled(std::string_view process, std::string_view reason) {
    return {ErrorKind::AccessDenied,
            fmt::format("The resident memory of {} was not sampled because {}.", process, reason)};
}

} // namespace highwater::source
