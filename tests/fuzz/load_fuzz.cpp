// Any bytes, all the way from a trace file to its store, a grouped table and a timeline: never a crash, a hang, a read
// outside, or table numbers that contradict each other.
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/decode/record_decoder.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/store/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;

namespace {

/// The pipeline thread's work, on this thread: failures are reproducible.
class DecodingSink final : public etl::RecordSink {
  public:
    explicit DecodingSink(decode::RecordDecoder& decoder) : decoder_(decoder) {}
    void onBatch(etl::RecordBatch& batch) override {
        decoder_.decode(batch.records);
        decoder_.reach(batch.reachedTicks);
    }

  private:
    decode::RecordDecoder& decoder_;
};

/// Opens the first few rows of each level; the count of a group is not less than that of any of its parts.
void open(analysis::GroupedTable& table, analysis::GroupedTable::NodeId node, unsigned levels) {
    constexpr std::size_t kRowsOfALevel = 4;
    if (levels == 0) return;
    const auto count = [&](analysis::GroupedTable::NodeId of) {
        const auto value = table.value(of, analysis::Column::Count);
        return std::holds_alternative<std::int64_t>(value) ? std::get<std::int64_t>(value) : 0;
    };
    const auto children = table.children(node);
    for (std::size_t i = 0; i < children.size() && i < kRowsOfALevel; ++i) {
        (void)table.keyText(children[i]);
        (void)table.value(children[i], analysis::Column::Size);
        if (count(children[i]) > count(node)) std::abort();
        open(table, children[i], levels - 1);
    }
}

void ask(const std::shared_ptr<const store::PublishedTrace>& trace, analysis::Table which) {
    using analysis::Column;
    const auto labels = std::make_shared<analysis::FrameLabels>();
    analysis::Query query;
    query.table = which;
    query.interval = trace->wholeRange();
    for (const auto key : {Column::Process, Column::ImpactingType, Column::FreeType, Column::Owner, Column::ManagedType,
                           Column::GcGeneration, Column::Stack}) {
        if (analysis::hasColumn(which, key)) query.keys.push_back(key);
    }
    query.columns = {Column::Count, Column::Size, {Column::Size, analysis::Aggregation::Peak}};
    if (const auto table = analysis::GroupedTable::compute(trace, labels, query); table.hasValue()) {
        constexpr unsigned kLevels = 6;
        open(*table.value(), analysis::GroupedTable::kRoot, kLevels);
        const std::array root{analysis::GroupedTable::kRoot};
        (void)table.value()->computeValues(root).hasValue();
    }
    analysis::TimelineQuery line;
    line.table = which;
    line.interval = trace->wholeRange();
    line.points = 50;
    line.by = Column::Process;
    (void)analysis::computeTimeline(*trace, *labels, line).hasValue();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    TraceHealth health;
    auto source = source::EtlFileSource::fromMemory({bytes, bytes + size}, "fuzzed.etl", health);
    if (!source.hasValue()) return 0;
    store::TraceStore store(health);
    decode::RecordDecoder decoder(source.value()->properties(), store, health);
    DecodingSink sink(decoder);
    Progress progress;
    (void)source.value()->run(sink, health, {}, progress).hasValue();
    decoder.finish();
    const auto trace = store.publish();
    for (const auto table : analysis::kTables) {
        ask(trace, table);
    }
    return 0;
}
