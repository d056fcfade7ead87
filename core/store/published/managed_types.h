#pragma once

#include "core/store/published/chunked_column.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::store {

/// Type names of managed objects by the number stored in allocations; 0 means unknown. The pipeline thread appends.
/// Readers look up numbers of rows that were published to them.
class ManagedTypes {
  public:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kMostText = std::uint64_t{1} << 28;

    /// Numbers are assigned in order, from 1. False if there is no room. Names that do not fit are empty.
    bool add(std::string_view name) {
        const auto start = text_.size();
        bool fits = start <= kMostText && name.size() < kMostText - start;
        for (std::size_t i = 0; fits && i < name.size(); ++i)
            fits = text_.append(name[i] == '\0' ? ' ' : name[i]);
        return text_.append('\0') && starts_.append(static_cast<std::uint32_t>(start)) && fits;
    }
    /// Empty if unknown.
    [[nodiscard]] std::string name(std::uint32_t number) const {
        std::string name;
        if (number == 0 || number > starts_.size()) return name;
        for (std::uint64_t at = starts_[number - 1]; text_[at] != '\0'; ++at)
            name += text_[at];
        return name;
    }

    /// Visits all columns, for code that writes them to or reads them from a file (core/pipeline/index): visit(column).
    /// `self` may be const.
    template <typename Self, typename Visit>
    static void eachColumn(Self& self, Visit& visit) {
        visit(self.starts_);
        visit(self.text_);
    }

  private:
    ChunkedColumn<std::uint32_t> starts_{kMost};
    ChunkedColumn<char> text_{kMostText + 1}; ///< names with their NUL
};

} // namespace highwater::store
