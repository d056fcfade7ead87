#pragma once

#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// Bytes from the base of the mapped image.
using Rva = std::uint64_t;

/// The origin of a name, best first.
enum class NameOrigin : std::uint8_t {
    Private, ///< the debug file's own record of the function, which has a length
    Public,  ///< a public symbol or ELF symbol
    Export,  ///< the image's export table
};

/// One function as named in a debug file.
struct ResolvedFunction {
    std::string linkageName; ///< the linker's name where it is known; see function_name.h for the displayed name
    NameOrigin origin = NameOrigin::Private;
    /// Number of other functions that the linker folded into the same bytes (identical COMDAT folding).
    std::uint32_t foldedWith = 0;
    friend bool operator==(const ResolvedFunction&, const ResolvedFunction&) = default;
};

constexpr std::uint32_t kNoFile = 0xFFFFFFFFu;

/// One function active at an address.
struct ResolvedFrame {
    std::uint32_t function = 0;   ///< index into ResolvedAddresses::functions
    std::uint32_t file = kNoFile; ///< index into ResolvedAddresses::files
    std::uint32_t line = 0;       ///< 0: unknown
    std::uint32_t offset = 0;     ///< bytes from the start of the function; 0 for inlined functions
    bool isInlined = false;       ///< its code is inside the function of the next frame
    friend bool operator==(const ResolvedFrame&, const ResolvedFrame&) = default;
};

/// The answers for a list of addresses, in its order. Strings are stored once.
struct ResolvedAddresses {
    std::vector<ResolvedFunction> functions;
    std::vector<std::string> files;
    std::vector<ResolvedFrame> frames;
    /// Frames [firstFrame[i], firstFrame[i+1]) belong to address i, innermost (inlined) first. Empty: unknown.
    std::vector<std::uint32_t> firstFrame{0};

    [[nodiscard]] std::size_t addressCount() const { return firstFrame.size() - 1; }
};

/// Gives equal strings equal ids while a file is read. One thread.
class StringIds {
  public:
    /// Copies the text.
    std::uint32_t idOf(std::string_view text) {
        if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
        texts_.emplace_back(text);
        const auto id = static_cast<std::uint32_t>(texts_.size() - 1);
        ids_.emplace(texts_.back(), id);
        return id;
    }
    [[nodiscard]] const std::deque<std::string>& texts() const { return texts_; }

  private:
    std::deque<std::string> texts_; ///< stable addresses: the keys point into it
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash> ids_;
};

} // namespace highwater::symbols
