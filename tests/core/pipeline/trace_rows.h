#pragma once

#include "core/store/published/published_trace.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace highwater {

/// All row data of a published trace, one line per row in row order: two traces with equal lines are equal in every
/// table, graph and filter.
class TraceRows {
  public:
    explicit TraceRows(const store::PublishedTrace& trace) : trace_(trace) {}

    [[nodiscard]] std::vector<std::string> rows(store::TableKind kind) const {
        const auto& table = trace_.table(kind);
        std::vector<std::string> lines;
        for (std::uint32_t i = 0; i < table.rows; ++i) {
            lines.push_back(row(table, RowId{i}));
        }
        return lines;
    }

  private:
    [[nodiscard]] std::string row(const store::TableView& table, RowId id) const {
        const auto end = table.end(id);
        auto line = fmt::format("{} {} {} until ", table.begin(id).ns, table.size(id), site(table.site(id)));
        return line + (end == kNever ? std::string("ever") : fmt::format("{} {}", end.ns, site(table.endSite(id))));
    }
    [[nodiscard]] std::string site(const store::Site& site) const {
        const auto& heap = trace_.heapOf(site);
        auto text = fmt::format("{} {:x} t{} k{}{}", trace_.processes->key(heap.process), heap.handle,
                                site.thread.value, site.kind, site.isRealloc ? "r" : "");
        for (auto node = trace_.leaf(site.stack); trace_.columns->stacks.node(node).depth > 0;
             node = trace_.columns->stacks.node(node).parent) {
            text += fmt::format(" {:x}", trace_.columns->stacks.node(node).address);
        }
        return text;
    }

    const store::PublishedTrace& trace_;
};

} // namespace highwater
