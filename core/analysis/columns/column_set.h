#pragma once

#include "core/analysis/columns/columns.h"

#include <cstdint>
#include <initializer_list>
#include <span>

namespace highwater::analysis {

static_assert(kColumnCount <= 64, "one bit each");

/// A small set of columns.
class ColumnSet {
  public:
    ColumnSet() = default;
    ColumnSet(std::initializer_list<Column> columns) {
        for (const auto column : columns)
            add(column);
    }
    explicit ColumnSet(std::span<const Column> columns) {
        for (const auto column : columns)
            add(column);
    }
    void add(Column column) { bits_ |= bit(column); }
    void add(ColumnSet columns) { bits_ |= columns.bits_; }
    [[nodiscard]] bool contains(Column column) const { return (bits_ & bit(column)) != 0; }
    [[nodiscard]] bool containsAll(ColumnSet columns) const { return (columns.bits_ & ~bits_) == 0; }
    [[nodiscard]] bool isEmpty() const { return bits_ == 0; }
    friend bool operator==(ColumnSet, ColumnSet) = default;

  private:
    static std::uint64_t bit(Column column) { return std::uint64_t{1} << static_cast<unsigned>(column); }
    std::uint64_t bits_ = 0;
};

} // namespace highwater::analysis
