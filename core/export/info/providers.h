#pragma once

#include "core/base/guid.h"
#include "core/event/record_counts.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// Who wrote records of a trace, and how many.
struct ProviderCount {
    std::optional<Guid> guid; ///< nothing: the records do not say
    std::string_view name;    ///< empty: not known
    std::uint64_t events = 0;
};

/// All providers of a trace, the busiest first: the classes of the kernel, and whoever wrote under a GUID of its own.
[[nodiscard]] std::vector<ProviderCount> providersOf(const RecordCounts& counts);
/// What a provider, or a class of events, is called; empty: not known.
[[nodiscard]] std::string_view nameOfProvider(const Guid& provider);

} // namespace highwater::exports
