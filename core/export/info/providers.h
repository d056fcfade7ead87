#pragma once

#include "core/base/guid.h"
#include "core/event/record_counts.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// A provider of records in a trace, and their number.
struct ProviderCount {
    std::optional<Guid> guid; ///< nullopt: not in the records
    std::string_view name;    ///< empty: unknown
    std::uint64_t events = 0;
};

/// All providers of a trace, busiest first: kernel event classes, and providers with their own GUID.
[[nodiscard]] std::vector<ProviderCount> providersOf(const RecordCounts& counts);
/// The name of a provider or event class; empty: unknown.
[[nodiscard]] std::string_view nameOfProvider(const Guid& provider);

} // namespace highwater::exports
