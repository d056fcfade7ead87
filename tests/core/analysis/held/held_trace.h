#pragma once

#include "core/analysis/held/holders.h"
#include "tests/core/analysis/columns_builder.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace highwater::tests {

inline constexpr std::uint64_t kMegabytePages = 256;

/// A process with blocks on pages of its heap, all of which are resident.
class HeldTrace {
  public:
    HeldTrace() { process_ = builder_.process("server", 7, TraceTime{0}); }

    HeldTrace& block(const std::string& stack, std::uint64_t page, ByteCount offset, ByteCount size) {
        ModelRow row;
        row.process = process_;
        row.heap = 1;
        row.stack = stack;
        row.address = (kFirstPage + page) * 4096 + offset;
        row.size = size;
        row.begin = TraceTime{++now_};
        last_ = builder_.alloc(row);
        return *this;
    }
    HeldTrace& freeLast() {
        ModelRelease release;
        release.time = TraceTime{++now_};
        builder_.end(last_, release);
        return *this;
    }
    HeldTrace& endProcess() {
        builder_.endProcess(process_, TraceTime{++now_});
        return *this;
    }
    HeldTrace& sample(std::uint64_t pages) {
        ModelSample sample{process_, TraceTime{++now_}, {}};
        for (std::uint64_t page = 0; page < pages; ++page)
            sample.pages.insert(kFirstPage + page);
        builder_.sample(std::move(sample));
        return *this;
    }
    /// Of its last page, it is unknown whether it is resident.
    HeldTrace& sampleWithUnknownPage(std::uint64_t pages) {
        ModelSample sample{process_, TraceTime{++now_}, {}, {kFirstPage + pages - 1}};
        for (std::uint64_t page = 0; page + 1 < pages; ++page)
            sample.pages.insert(kFirstPage + page);
        builder_.sample(std::move(sample));
        return *this;
    }
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish() {
        return builder_.publish(TraceTime{now_ + 1});
    }
    /// Holders of the interval, a line each: "B!+0x1: 2 blocks, 32 bytes hold 8192".
    [[nodiscard]] Result<std::vector<analysis::ProcessHolders>> find(analysis::HolderQuery query = {}) {
        const auto trace = publish();
        if (query.samples.interval.isEmpty()) query.samples.interval = trace->wholeRange();
        analysis::FrameLabels labels;
        return analysis::findHolders(*trace, labels, query);
    }
    [[nodiscard]] std::string text() {
        std::string text;
        const auto found = find().value();
        for (const auto& process : found) {
            text += process.name;
            for (const auto& holder : process.holders)
                text += fmt::format("; {}: {} blocks, {} bytes hold {}", holder.owner, holder.rows, holder.resident,
                                    holder.heldPages);
        }
        return text;
    }

  private:
    static constexpr std::uint64_t kFirstPage = 0x100;

    ColumnsBuilder builder_;
    std::uint32_t process_ = 0;
    std::int64_t now_ = 0;
    std::size_t last_ = 0;
};

} // namespace highwater::tests
