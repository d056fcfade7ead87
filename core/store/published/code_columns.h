#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"

#include <cstdint>
#include <string>

namespace highwater::store {

/// What became known of generated code, in the order in which it did. The epoch is that of its process (StackRoot).
struct CodeEntry {
    enum class Kind : std::uint32_t {
        Function,        ///< stands there from firstEpoch on, in place of what stood there before
        EarlierFunction, ///< stood there in all epochs in which nothing else is known
        Nothing,         ///< nothing that has a name stands there from firstEpoch on
        ModuleName,      ///< the module of this number is called `text`
        Runtime,         ///< the process has a runtime
    };
    Address start = 0;
    std::uint32_t size = 0;
    ProcessIndex process;
    std::uint32_t module = 0; ///< a number of CodeColumns
    std::uint32_t text = 0;   ///< where in CodeColumns::text; of a function its name, and behind that its arguments
    std::uint32_t firstEpoch = 0;
    Kind kind = Kind::Function;
};
static_assert(sizeof(CodeEntry) == 32);

/// Generated code of all processes. The pipeline thread appends; readers read below the published count.
struct CodeColumns {
    static constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 23;
    static constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;

    ChunkedColumn<CodeEntry> entries{kMostEntries};
    ChunkedColumn<char> text{kMostText}; ///< texts with their NUL

    /// The text that begins there.
    [[nodiscard]] std::string textAt(std::uint64_t at) const {
        std::string found;
        for (; text[at] != '\0'; ++at)
            found += text[at];
        return found;
    }
};

} // namespace highwater::store
