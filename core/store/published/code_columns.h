#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"

#include <cstdint>
#include <string>

namespace highwater::store {

/// Facts about generated code, in the order in which they became known. The epoch is that of its process (StackRoot).
struct CodeEntry {
    enum class Kind : std::uint8_t {
        Function,        ///< exists there from firstEpoch on and replaces earlier code
        EarlierFunction, ///< existed there in all epochs for which no other code is known
        Nothing,         ///< no named code there from firstEpoch on
        EntryPoint,      ///< a function of the image that is loaded there in firstEpoch starts there
        ModuleName,      ///< the module with this number is named `text`
        ModulePdb,       ///< the module with this number has the source lines of the ProcessTable's module `size`
        Runtime,         ///< the process has a runtime
    };
    Address start = 0;
    std::uint32_t size = 0;
    ProcessIndex process;
    std::uint32_t module = 0; ///< a number of CodeColumns
    std::uint32_t text = 0;   ///< position in CodeColumns::text; for a function, of its name, followed by its arguments
    std::uint32_t firstEpoch = 0;
    Kind kind = Kind::Function;
    bool isPrecompiled = false; ///< in an image
    std::uint16_t reserved = 0;
};
static_assert(sizeof(CodeEntry) == 32);

/// The part of an entry that leads to its source lines.
struct CodeMethod {
    std::uint32_t entry = 0; ///< entry of the function; sorted by these
    std::uint32_t token = 0; ///< token of the method in its module
    /// Number of the code that IL maps describe: method of a process, version, and part of its code. Stays the same
    /// when the method is recompiled (tiered compilation).
    std::uint32_t body = 0;
    std::uint32_t reserved = 0;
};

/// An IL map of a body: `bytes` of CodeColumns::ilMaps starting at `at` (core/event/il_map.h).
struct CodeIlMap {
    std::uint32_t body = 0;
    std::uint32_t bytes = 0;
    std::uint64_t at = 0;
};

/// Function at an address of an image, according to the file that provided the names of its frames.
struct NamedAddress {
    Address address = 0;
    ProcessIndex process;
    std::uint32_t epoch = 0; ///< epoch of the process when this was recorded
    std::uint32_t first = 0; ///< index into CodeColumns::functions; the innermost inlined function comes first
    std::uint32_t count = 0;
    std::uint64_t reserved = 0;
};
static_assert(sizeof(NamedAddress) == 32);

/// One function of a NamedAddress. Equal texts are stored once and have equal positions.
struct NamedFrame {
    static constexpr std::uint32_t kNoText = 0xFFFFFFFFu;
    std::uint32_t name = 0;       ///< position in CodeColumns::text
    std::uint32_t file = kNoText; ///< the same
    std::uint32_t line = 0;       ///< 0 if unknown
    std::uint32_t reserved = 0;
};

/// Generated code of all processes, and names that were stored in the file. The pipeline thread appends; readers read
/// below the published count.
struct CodeColumns {
    static constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 23;
    static constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;
    static constexpr std::uint64_t kMostIlMapBytes = std::uint64_t{1} << 28;
    static constexpr std::size_t kMostMapsOfBody = 16; ///< further compilations are useless

    ChunkedColumn<CodeEntry> entries{kMostEntries};
    ChunkedColumn<char> text{kMostText}; ///< texts with their NUL
    ChunkedColumn<CodeMethod> methods{kMostEntries};
    ChunkedColumn<CodeIlMap> maps{kMostEntries};
    ChunkedColumn<char> ilMaps{kMostIlMapBytes};
    ChunkedColumn<NamedAddress> named{kMostEntries};
    ChunkedColumn<NamedFrame> functions{
        kMostEntries}; ///< functions of named; appended before the entries that refer to them

    [[nodiscard]] std::string ilMapAt(const CodeIlMap& map) const {
        std::string packed;
        while (packed.size() < map.bytes) {
            const auto part = ilMaps.contiguous(map.at + packed.size(), map.at + map.bytes);
            packed.append(part.data(), part.size());
        }
        return packed;
    }
    /// The text that starts there.
    [[nodiscard]] std::string textAt(std::uint64_t at) const {
        std::string found;
        for (; text[at] != '\0'; ++at)
            found += text[at];
        return found;
    }
};

} // namespace highwater::store
