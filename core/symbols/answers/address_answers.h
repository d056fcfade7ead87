#pragma once

#include "core/symbols/answers/resolved_addresses.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// A frame whose texts are still in the debug file, or in the texts of its AddressAnswers.
struct FrameAnswer {
    std::string_view function;
    std::string_view file{};
    std::uint32_t line = 0;
    std::uint32_t offset = 0;
    std::uint32_t foldedWith = 0;
    NameOrigin origin = NameOrigin::Private;
    bool isInlined = false;
};

/// Answers for some of the requested addresses, as one thread finds them: the index and the frames of each address.
struct AddressAnswers {
    struct Address {
        std::size_t index = 0;
        std::size_t firstFrame = 0;
        std::size_t endFrame = 0;
    };
    std::vector<Address> addresses;
    std::vector<FrameAnswer> frames; ///< innermost first
    StringIds texts;                 ///< texts that are not in the file
};

/// Merges the parts in the order of the request. Each text is stored once.
[[nodiscard]] ResolvedAddresses mergeAnswers(std::size_t addressCount, std::span<AddressAnswers> parts);

} // namespace highwater::symbols
