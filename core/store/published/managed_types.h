#pragma once

#include "core/store/published/chunked_column.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::store {

/// The names of types of managed objects, by the numbers that allocations have; 0: it is not known. The pipeline thread
/// appends; readers look up numbers that rows have which were published to them.
class ManagedTypes {
  public:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kMostText = std::uint64_t{1} << 28;

    /// Numbers come in their order, from 1 on. False: there is no room; names that do not fit are empty.
    bool add(std::string_view name) {
        const auto start = text_.size();
        bool fits = start <= kMostText && name.size() < kMostText - start;
        for (std::size_t i = 0; fits && i < name.size(); ++i)
            fits = text_.append(name[i] == '\0' ? ' ' : name[i]);
        return text_.append('\0') && starts_.append(static_cast<std::uint32_t>(start)) && fits;
    }
    /// Empty: it is not known.
    [[nodiscard]] std::string name(std::uint32_t number) const {
        std::string name;
        if (number == 0 || number > starts_.size()) return name;
        for (std::uint64_t at = starts_[number - 1]; text_[at] != '\0'; ++at)
            name += text_[at];
        return name;
    }

    /// All columns, for who writes them to a file or takes them from there (core/pipeline/index): visit(column). `self`
    /// may be const.
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
