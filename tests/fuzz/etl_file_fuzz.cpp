// Any bytes, opened as a trace file or an archive: never a crash, a hang, or a read outside.
#include "core/source/etl_files/etl_file_source.h"

#include <cstddef>
#include <cstdint>

using namespace highwater;

namespace {

/// Reads everything that records refer to, so that the address sanitizer detects wrong spans.
class TouchingSink final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            for (const auto b : record.payloadSpan())
                sum_ = sum_ + std::to_integer<unsigned>(b);
            for (const auto b : record.extendedSpan())
                sum_ = sum_ + std::to_integer<unsigned>(b);
            sum_ = sum_ + record.providerGuid().data1;
        }
    }

  private:
    volatile std::uint64_t sum_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    TraceHealth health;
    auto source = source::EtlFileSource::fromMemory({bytes, bytes + size}, "fuzzed.etl", health);
    if (!source.hasValue()) return 0;
    TouchingSink sink;
    Progress progress;
    (void)source.value()->run(sink, health, {}, progress).hasValue();
    return 0;
}
