#pragma once

#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace highwater::source {

/// A text of a NamePool. 0 is the empty text.
using NameId = std::uint32_t;

/// The names in a profile (functions, source files, modules). Each name is stored once, no matter how often it is used.
/// Equal texts have equal ids. One thread.
class NamePool {
  public:
    NamePool() { (void)idOf({}); }
    NamePool(NamePool&&) = default;
    NamePool& operator=(NamePool&&) = default;
    NamePool(const NamePool&) = delete; // ids_ points into texts_
    NamePool& operator=(const NamePool&) = delete;
    ~NamePool() = default;

    /// Cuts a text at the limit of records (kMostCodeNameBytes), and does not read beyond that.
    NameId idOf(std::string_view text);
    [[nodiscard]] std::string_view text(NameId id) const { return texts_[id]; }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    /// Approximate memory of the names, including the lookup.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::deque<std::string> texts_; // references to its elements stay valid
    tsl::robin_map<std::string_view, NameId, SeededHash, std::equal_to<>> ids_;
    std::size_t bytes_ = 0;
};

} // namespace highwater::source
