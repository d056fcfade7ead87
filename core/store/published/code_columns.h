#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published/chunked_column.h"

#include <cstdint>
#include <string>

namespace highwater::store {

/// What became known of generated code, in the order in which it did. The epoch is that of its process (StackRoot).
struct CodeEntry {
    enum class Kind : std::uint8_t {
        Function,        ///< stands there from firstEpoch on, in place of what stood there before
        EarlierFunction, ///< stood there in all epochs in which nothing else is known
        Nothing,         ///< nothing that has a name stands there from firstEpoch on
        EntryPoint,      ///< a function of the image that stands there in firstEpoch begins there
        ModuleName,      ///< the module of this number is called `text`
        ModulePdb, ///< the source lines of the module of this number are those of the ProcessTable's module `size`
        Runtime,   ///< the process has a runtime
    };
    Address start = 0;
    std::uint32_t size = 0;
    ProcessIndex process;
    std::uint32_t module = 0; ///< a number of CodeColumns
    std::uint32_t text = 0;   ///< where in CodeColumns::text; of a function its name, and behind that its arguments
    std::uint32_t firstEpoch = 0;
    Kind kind = Kind::Function;
    bool isPrecompiled = false; ///< lies in an image
    std::uint16_t reserved = 0;
};
static_assert(sizeof(CodeEntry) == 32);

/// What of an entry leads to its source lines.
struct CodeMethod {
    std::uint32_t entry = 0; ///< a function's; they are in the order of these
    std::uint32_t token = 0; ///< of the method in its module
    /// Number of what maps of IL are about: a process' method, its version, and which part of its code. Compiled again
    /// (tiered compilation), it is the same.
    std::uint32_t body = 0;
    std::uint32_t reserved = 0;
};

/// A map of IL of a body: `bytes` of CodeColumns::ilMaps from `at` on (core/event/il_map.h).
struct CodeIlMap {
    std::uint32_t body = 0;
    std::uint32_t bytes = 0;
    std::uint64_t at = 0;
};

/// What stands at one address of an image, as the file says that brought the names of its frames.
struct NamedAddress {
    Address address = 0;
    ProcessIndex process;
    std::uint32_t epoch = 0; ///< of the process, in which it was told
    std::uint32_t first = 0; ///< of CodeColumns::functions, what was inlined first
    std::uint32_t count = 0;
    std::uint64_t reserved = 0;
};
static_assert(sizeof(NamedAddress) == 32);

/// One of them. Texts are kept once: equal ones have equal places.
struct NamedFrame {
    static constexpr std::uint32_t kNoText = 0xFFFFFFFFu;
    std::uint32_t name = 0;       ///< where in CodeColumns::text
    std::uint32_t file = kNoText; ///< the same
    std::uint32_t line = 0;       ///< 0: not known
    std::uint32_t reserved = 0;
};

/// Generated code of all processes, and names that came with the file. The pipeline thread appends; readers read below
/// the published count.
struct CodeColumns {
    static constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 23;
    static constexpr std::uint64_t kMostText = std::uint64_t{1} << 30;
    static constexpr std::uint64_t kMostIlMapBytes = std::uint64_t{1} << 28;
    static constexpr std::size_t kMostMapsOfBody = 16; ///< what was compiled more often is of no use

    ChunkedColumn<CodeEntry> entries{kMostEntries};
    ChunkedColumn<char> text{kMostText}; ///< texts with their NUL
    ChunkedColumn<CodeMethod> methods{kMostEntries};
    ChunkedColumn<CodeIlMap> maps{kMostEntries};
    ChunkedColumn<char> ilMaps{kMostIlMapBytes};
    ChunkedColumn<NamedAddress> named{kMostEntries};
    ChunkedColumn<NamedFrame> functions{kMostEntries}; ///< of named; each is there before what points to it

    [[nodiscard]] std::string ilMapAt(const CodeIlMap& map) const {
        std::string packed;
        while (packed.size() < map.bytes) {
            const auto part = ilMaps.contiguous(map.at + packed.size(), map.at + map.bytes);
            packed.append(part.data(), part.size());
        }
        return packed;
    }
    /// The text that begins there.
    [[nodiscard]] std::string textAt(std::uint64_t at) const {
        std::string found;
        for (; text[at] != '\0'; ++at)
            found += text[at];
        return found;
    }
};

} // namespace highwater::store
