#pragma once

#include "core/source/profiles/stack_sums.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// The types of the values that each sample of a pprof profile has, and which of them are amounts of memory. Each tool
/// names them in its own way: docs/numbers.md lists them. A value.
class SampleTypes {
  public:
    /// In the order of the values. The texts must live as long as this object.
    void add(std::string_view type, std::string_view unit);
    /// Values that look like memory in use are allocations (an allocation profile of tcmalloc), or the other way round
    /// (a heap dump of Perfetto).
    void swapUsedAndAllocated();

    [[nodiscard]] std::size_t size() const { return types_.size(); }
    [[nodiscard]] bool haveBytes() const { return known().used || known().allocated; }
    [[nodiscard]] KnownAmounts known() const;
    /// Of one sample; as many values as there are types. Nothing: an amount does not fit.
    [[nodiscard]] std::optional<StackAmounts> amountsOf(std::span<const std::int64_t> values) const;
    /// What a profile without bytes is instead: "a CPU profile of pprof and no heap profile".
    [[nodiscard]] std::string_view otherKind() const;
    /// "alloc_space, alloc_objects"; of very many the first ones.
    [[nodiscard]] std::string list() const;
    /// The same of those that are no amounts of memory. Empty: all are.
    [[nodiscard]] std::string listOfOthers() const;

  private:
    enum Amount : std::uint8_t { kUsedObjects, kUsedBytes, kAllocatedObjects, kAllocatedBytes, kAnyObjects, kAmounts };
    struct Place {
        std::size_t value = 0;   ///< its index in a sample
        std::int64_t factor = 1; ///< bytes, or objects
    };

    static std::optional<Amount> amountOf(std::string_view type);
    [[nodiscard]] const std::vector<Place>& places(Amount amount) const;

    std::vector<std::string_view> types_;
    std::array<std::vector<Place>, kAmounts> places_; ///< by amount
};

} // namespace highwater::source
