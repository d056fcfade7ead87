// Any bytes as a file of another profiler, compressed or not, all the way to its store: never a crash, a hang or a read
// outside, and never more outstanding than was allocated.
#include "core/decode/record_decoder.h"
#include "core/source/profiles/profile_files.h"
#include "core/store/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace highwater;

namespace {

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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    TraceHealth health;
    auto source = source::profileFromMemory({bytes, bytes + size}, "fuzzed");
    if (!source.hasValue()) return 0;
    store::TraceStore store(health);
    decode::RecordDecoder decoder(source.value()->properties(), store, health);
    DecodingSink sink(decoder);
    Progress progress;
    (void)source.value()->run(sink, health, {}, progress).hasValue();
    decoder.finish();
    const auto trace = store.publish();
    std::uint64_t allocated = 0, outstanding = 0;
    for (RowId row = 0; row < trace->heap.rows; ++row) {
        allocated += trace->heap.size(row);
        outstanding += trace->heap.end(row) == kNever ? trace->heap.size(row) : 0;
        (void)trace->columns->heap.rows.objects(row);
    }
    if (outstanding > allocated) std::abort();
    return 0;
}
