#pragma once

#include "core/decode/record_decoder.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/record_builder.h"
#include "tests/core/decode/recording_sink.h"

#include <deque>

namespace highwater::tests {

/// Records as a source would deliver them; a tick is a nanosecond and time 0 is tick 0.
class RecordStream {
  public:
    explicit RecordStream(unsigned pointerBytes = 8) : pointerBytes_(pointerBytes) {}

    etl::RawRecord& add(std::int64_t ticks, std::uint8_t group, std::uint8_t opcode, const PayloadBuilder& payload) {
        auto& record = memory_.emplace_back(payload);
        record.as(group, opcode, 2);
        record.raw.ticks = ticks;
        records_.push_back(&record.raw);
        return record.raw;
    }
    etl::RawRecord& heapAlloc(std::int64_t ticks, std::uint32_t pid, std::uint32_t tid, Address address = 0x1000) {
        return by(pid, tid,
                  add(ticks, group::kHeap, 33, payload().pointer(0x1D0000).pointer(16).pointer(address).u32(3)));
    }
    etl::RawRecord& heapFree(std::int64_t ticks, std::uint32_t pid, std::uint32_t tid, Address address = 0x1000) {
        return by(pid, tid, add(ticks, group::kHeap, 36, payload().pointer(0x1D0000).pointer(address).u32(3)));
    }
    /// As the kernel logs it: without pid and tid in the header.
    etl::RawRecord& virtualAlloc(std::int64_t ticks, std::uint32_t pid, std::uint16_t processor,
                                 Address address = 0x10000) {
        auto& record = add(ticks, group::kMemory, 98, payload().pointer(address).pointer(4096).u32(pid).u32(0x3000));
        record.header = etl::HeaderType::PerfInfo64;
        record.processor = processor;
        return record;
    }
    etl::RawRecord& stackWalk(std::int64_t ticks, std::int64_t eventTicks, std::uint32_t pid, std::uint32_t tid,
                              const std::vector<Address>& frames, std::uint16_t processor = 0) {
        auto& record = add(ticks, group::kStackWalk, 32, reference(eventTicks, pid, tid).pointers(frames));
        record.processor = processor;
        return record;
    }
    void kernelKey(std::int64_t ticks, std::int64_t eventTicks, std::uint32_t pid, std::uint32_t tid, std::uint64_t key,
                   std::uint16_t processor = 0) {
        add(ticks, group::kStackWalk, 37, reference(eventTicks, pid, tid).pointer(key)).processor = processor;
    }
    void userKey(std::int64_t ticks, std::int64_t eventTicks, std::uint32_t pid, std::uint32_t tid, std::uint64_t key,
                 std::uint16_t processor = 0) {
        add(ticks, group::kStackWalk, 38, reference(eventTicks, pid, tid).pointer(key)).processor = processor;
    }
    /// Opcode 34 create, 35 delete, 36 rundown.
    void keyFrames(std::int64_t ticks, std::uint8_t opcode, std::uint64_t key, const std::vector<Address>& frames) {
        add(ticks, group::kStackWalk, opcode, payload().pointer(key).pointers(frames));
    }
    void process(std::int64_t ticks, std::uint8_t opcode, std::uint32_t pid) {
        add(ticks, group::kProcess, opcode,
            payload().pointer(1).u32(pid).u32(1).u32(0).u32(0).u32(0).narrow("a.exe").utf16(""));
    }
    /// Any other record, which only advances the time.
    void tick(std::int64_t ticks) { add(ticks, 0x1E, 99, payload()); }

    [[nodiscard]] std::vector<etl::RawRecord> records() const {
        std::vector<etl::RawRecord> copy;
        for (const auto* record : records_)
            copy.push_back(*record);
        return copy;
    }
    /// Everything in one batch, then the end.
    HealthReport decodeInto(RecordingSink& sink, std::int64_t patienceNs = 1000,
                            decode::StackObserver* observer = nullptr) const {
        return decodeRecordsInto(records(), sink, patienceNs, observer);
    }
    static HealthReport decodeRecordsInto(const std::vector<etl::RawRecord>& records, RecordingSink& sink,
                                          std::int64_t patienceNs = 1000, decode::StackObserver* observer = nullptr) {
        TraceHealth health;
        decode::RecordDecoder decoder(properties(), sink, health, {patienceNs, observer});
        decoder.decode(records);
        decoder.finish();
        return health.report();
    }
    static TraceProperties properties() {
        TraceProperties properties;
        properties.ticksPerSecond = 1'000'000'000;
        return properties;
    }
    [[nodiscard]] PayloadBuilder payload() const { return PayloadBuilder(pointerBytes_); }

  private:
    static etl::RawRecord& by(std::uint32_t pid, std::uint32_t tid, etl::RawRecord& record) {
        record.pid = pid;
        record.tid = tid;
        return record;
    }
    [[nodiscard]] PayloadBuilder reference(std::int64_t eventTicks, std::uint32_t pid, std::uint32_t tid) const {
        return payload().u64(static_cast<std::uint64_t>(eventTicks)).u32(pid).u32(tid);
    }

    unsigned pointerBytes_;
    std::deque<TestRecord> memory_;
    std::vector<etl::RawRecord*> records_;
};

} // namespace highwater::tests
