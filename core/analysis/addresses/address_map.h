#pragma once

#include "core/analysis/addresses/address_layout.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// A part of the plane of time and positions, and its resolution.
struct AddressMapQuery {
    ProcessIndex process = {};
    TimeRange interval = {};         ///< from left to right
    std::uint64_t firstPosition = 0; ///< start of line 0, in the layout
    std::uint64_t lastPosition = 0;  ///< one past the last
    std::uint32_t columns = 1;
    std::uint32_t lines = 1;
    TraceTime instant = {};   ///< for the sums: rows that started before and ended then or later
    std::uint32_t sample = 1; ///< only every `sample`-th block of rows, for speed: shares and sums are estimates
    bool processExitFreesHeap = false;
    friend bool operator==(const AddressMapQuery&, const AddressMapQuery&) = default;
};

/// For each pixel, the shares that are committed, in blocks kept at the end of the interval, and in blocks freed by
/// then. Line by line from the lowest address. A share of 65535 is the whole pixel.
struct AddressMap {
    /// A visible row with its place.
    struct Row {
        store::TableKind table = store::TableKind::Heap;
        std::uint64_t position = 0;
        ByteCount size = 0;
        TraceTime begin = kBeforeTrace;
        TraceTime end = kNever;
    };
    static constexpr std::size_t kMostRows = 4000;

    AddressMapQuery query;
    std::vector<std::uint16_t> committed, kept, freed;
    std::vector<Row> rows; ///< if at most kMostRows are visible; otherwise empty
    std::uint64_t rowCount = 0;
    ByteCount committedBytes = 0; ///< at the instant, between the two positions
    ByteCount liveBytes = 0;      ///< in blocks, likewise

    [[nodiscard]] std::size_t at(std::uint32_t column, std::uint32_t line) const {
        return std::size_t{line} * query.columns + column;
    }
};

/// One pass over the rows of both tables, on a few processors. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<AddressMap> drawAddresses(const store::PublishedTrace& trace, const AddressLayout& layout,
                                               const AddressMapQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
