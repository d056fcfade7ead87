#include "core/pipeline/spool/spool.h"

#include "core/base/seeded_hash.h"
#include "core/decode/records/clock.h"
#include "core/decode/records/missing_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/spool/memory_record.h"

#include <algorithm>
#include <cstring>

namespace highwater::pipeline {

using decode::kStackReferenceBytes;
using etl::RawRecord;

namespace {

constexpr std::uint8_t kStackWalkVersion = 2;
constexpr std::uint32_t kBufferBytes = 65536;
constexpr std::uint32_t kEndRecordBytes = 512; ///< more than the longest reason takes
/// A definition must fit into a record. Deeper stacks lose their outermost frames (ETW itself stops at 192).
constexpr std::size_t kMostFrames = 4096;
/// The running thread is written again after this many records, so that a damaged buffer does not affect everything
/// after it.
constexpr std::uint32_t kRecordsPerSwitch = 1024;
constexpr std::uint32_t kContextSwitchBytes = 24;
constexpr unsigned kRecentKeyBits = 13; ///< 128 KiB, so that they stay in the cache
constexpr std::uint32_t kSourceBytes = 4;
/// Payload size without it.
constexpr std::uint32_t kAllocBytes = 3 * sizeof(Address);
constexpr std::uint32_t kFreeBytes = 2 * sizeof(Address);

/// A heap record whose Source, at its end, has the default value: one of the Linux agent.
bool canShorten(const RawRecord& record) {
    if (record.header != etl::HeaderType::Compact64 || record.group != group::kHeap) return false;
    if (record.kind != RawRecord::Kind::Classic || record.extendedBytes != 0 || record.tid == etl::kNoId) return false;
    if (record.opcode != heap_opcode::kAlloc && record.opcode != heap_opcode::kFree) return false;
    const auto bytes = record.opcode == heap_opcode::kAlloc ? kAllocBytes : kFreeBytes;
    return record.payloadBytes == bytes + kSourceBytes && loadUnchecked<std::uint32_t>(record.payload + bytes) == 0;
}

/// The header of a record of the same instant on the same processor.
etl::SystemHeader headerLike(const RawRecord& record, etl::HeaderType type) {
    return {.type = type,
            .group = record.group,
            .opcode = record.opcode,
            .processor = record.processor,
            .pid = record.pid,
            .tid = record.tid,
            .ticks = record.ticks};
}

bool isStackRecord(const RawRecord& record) {
    return record.kind == RawRecord::Kind::Classic && record.group == group::kStackWalk && record.pointerBytes == 8;
}

std::uint32_t narrowed(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFFu));
}

std::size_t kernelFrameCount(const decode::FrameRun& run) {
    if (!run.startsInKernel) return 0;
    const auto firstOfUser =
        std::find_if(run.frames.begin(), run.frames.end(), [](Address frame) { return (frame >> 63) == 0; });
    return static_cast<std::size_t>(firstOfUser - run.frames.begin());
}

} // namespace

std::size_t Spool::StackHash::operator()(std::span<const Address> frames) const noexcept {
    return static_cast<std::size_t>(seededHash(frames));
}

bool Spool::StackEqual::operator()(std::span<const Address> frames, KeyNumber stack) const {
    const auto known = spool->framesOf(stack);
    return std::equal(frames.begin(), frames.end(), known.begin(), known.end());
}

Spool::Spool(etl::ByteOutput& output, const TraceProperties& properties)
    : output_(output),
      numbers_(64, StackHash{this}, StackEqual{this}),
      recentKeys_(std::size_t{1} << kRecentKeyBits),
      properties_(properties),
      lastTicks_(properties.firstTicks),
      definitionProcessor_(ownProcessor(properties)) {}

/// After all others: at equal times readers process the processors in their order, and frames come after their key.
std::uint16_t Spool::ownProcessor(const TraceProperties& properties) {
    return static_cast<std::uint16_t>(std::clamp(properties.processors, 1u, 0xFFFEu));
}

Result<std::unique_ptr<Spool>> Spool::create(etl::ByteOutput& output, const TraceProperties& properties,
                                             etl::Compression compression, etl::Packing packing) {
    std::unique_ptr<Spool> spool(new Spool(output, properties));
    auto described = properties;
    described.processors = spool->definitionProcessor_ + 1u;
    spool->writer_ = TRY(etl::EtlWriter::create(output, described,
                                                {.bufferBytes = kBufferBytes,
                                                 .compression = compression,
                                                 .packing = packing,
                                                 .endRecordBytes = kEndRecordBytes}));
    return spool;
}

/// Immediately marks the file as ended here, because it may never be finished.
Result<void> Spool::keepError(Result<void> result) {
    if (!result.hasValue() && !error_) {
        error_ = result.error();
        eventsAfterError_ += writer_->unwrittenCounted();
        (void)endCutOff({});
    }
    return result;
}

Result<void> Spool::write(std::span<const RawRecord> records) {
    if (error_) {
        countAfterError(records);
        return *error_;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& record = records[i];
        lastTicks_ = std::max(lastTicks_, record.ticks);
        if (decode::isMissingRecord(record)) noteGap(record);
        if (auto written = writeOne(record); !written.hasValue()) {
            // An invalid record does not fit into any buffer; the file continues without it.
            if (written.error().kind == ErrorKind::Usage) continue;
            countAfterError(records.subspan(i));
            return keepError(written);
        }
        if (isMemoryRecord(record)) writer_->countLast(record.processor);
    }
    hasUnflushed_ = hasUnflushed_ || !records.empty();
    return {};
}

void Spool::countAfterError(std::span<const RawRecord> records) {
    eventsAfterError_ += static_cast<std::uint64_t>(std::count_if(records.begin(), records.end(), isMemoryRecord));
}

/// A part that is already missing in the stream.
void Spool::noteGap(const RawRecord& record) {
    if (const auto gap = decode::decodeMissing(record)) eventsInGaps_ += gap->events;
}

Result<void> Spool::writeOne(const RawRecord& record) {
    if (canShorten(record)) return writeShortened(record);
    if (!isStackRecord(record)) return writer_->write(record);
    switch (record.opcode) {
    case stack_opcode::kStackWalk:
        return writeStackWalk(record);
    case stack_opcode::kKeyCreate:
        takeKey(record);
        return {};
    case stack_opcode::kKernelKey:
    case stack_opcode::kUserKey:
        return writeOwnKey(record);
    default:
        return writer_->write(record);
    }
}

Result<void> Spool::writeShortened(const RawRecord& record) {
    const auto isNamed = TRY(isThreadWritten(record));
    auto header = headerLike(record, isNamed ? etl::HeaderType::PerfInfo64 : etl::HeaderType::Compact64);
    header.version = static_cast<std::uint8_t>(record.version);
    const auto bytes = record.payloadBytes - kSourceBytes;
    const auto payload = TRY(writer_->place(header, bytes));
    std::memcpy(payload, record.payload, kFreeBytes);
    if (bytes == kAllocBytes) std::memcpy(payload + kFreeBytes, record.payload + kFreeBytes, sizeof(Address));
    return {};
}

/// Whether the file identifies the thread of this record, other than by the record itself. No context switch is written
/// for a thread that writes a single record between others.
Result<bool> Spool::isThreadWritten(const RawRecord& record) {
    if (record.processor >= running_.size()) running_.resize(record.processor + std::size_t{1});
    auto& running = running_[record.processor];
    const Thread thread{record.pid, record.tid};
    const bool goesOn = running.latest == thread;
    running.latest = thread;
    if (running.written == thread && running.left > 0) {
        --running.left;
        return true;
    }
    if (!goesOn) return false;
    running.written = thread;
    running.left = kRecordsPerSwitch;
    TRY(writeSwitch(record));
    return true;
}

Result<void> Spool::writeSwitch(const RawRecord& record) {
    auto header = headerLike(record, record.header);
    header.group = group::kThread;
    header.opcode = thread_opcode::kContextSwitch;
    header.version = static_cast<std::uint8_t>(record.version);
    const auto payload = TRY(writer_->place(header, kContextSwitchBytes));
    std::fill_n(payload, kContextSwitchBytes, std::byte{0});
    std::memcpy(payload, &record.tid, sizeof(record.tid));
    return {};
}

Result<void> Spool::writeStackWalk(const RawRecord& record) {
    if (record.payloadBytes < kStackReferenceBytes) return writer_->write(record);
    const auto run = reader_.read(record.payloadSpan().subspan(kStackReferenceBytes), record.pointerBytes);
    if (run.frames.empty()) return writer_->write(record);
    const auto kernelFrames = kernelFrameCount(run);
    if (kernelFrames > 0) {
        const auto number = numberOf(run.frames.first(kernelFrames));
        TRY(writeReference(record, stack_opcode::kKernelKey, number));
    }
    if (kernelFrames == run.frames.size()) return {};
    return writeReference(record, stack_opcode::kUserKey, numberOf(run.frames.subspan(kernelFrames)));
}

/// A reference by a source that defines its keys itself. Keys without known frames are those of Windows' stack caching,
/// whose definitions follow in the stream; they are left unchanged.
Result<void> Spool::writeOwnKey(const RawRecord& record) {
    const auto bytes = record.payloadSpan();
    if (bytes.size() < kStackReferenceBytes + 8) return writer_->write(record);
    const auto known = numberOfSourceKey(loadUnchecked<std::uint64_t>(bytes.data() + kStackReferenceBytes));
    if (!known) return writer_->write(record);
    return writeReference(record, record.opcode, *known);
}

/// One multiplication is enough. Predicting the slots of keys is useless to an attacker because each key has only one
/// slot.
std::size_t Spool::slotOf(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> (64 - kRecentKeyBits));
}

std::optional<Spool::KeyNumber> Spool::numberOfSourceKey(std::uint64_t key) {
    auto& recent = recentKeys_[slotOf(key)];
    if (recent.number && recent.key == key) [[likely]]
        return recent.number;
    const auto known = ofSourceKey_.find(key);
    if (known == ofSourceKey_.end()) return std::nullopt;
    recent = {key, known->second};
    return recent.number;
}

/// Keys may be reused for other frames.
void Spool::takeKey(const RawRecord& record) {
    const auto bytes = record.payloadSpan();
    if (bytes.size() <= 8) return;
    const auto run = reader_.read(bytes.subspan(8), record.pointerBytes);
    if (run.frames.empty()) return;
    const auto key = loadUnchecked<std::uint64_t>(bytes.data());
    const auto number = numberOf(run.frames);
    ofSourceKey_[key] = number;
    recentKeys_[slotOf(key)] = {key, number};
}

Result<void> Spool::writeReference(const RawRecord& like, std::uint8_t opcode, KeyNumber stack) {
    auto& known = stacks_[stack];
    if (known.finishOfUse != finishes_) {
        known.finishOfUse = finishes_;
        known.definedOn = 0;
        used_.push_back(stack);
    }
    TRY(defineForUse(like, stack));
    auto header = headerLike(like, etl::HeaderType::PerfInfo64);
    header.opcode = opcode;
    header.version = kStackWalkVersion;
    const auto payload = TRY(writer_->place(header, kStackReferenceBytes + sizeof(std::uint64_t)));
    const std::uint64_t key = std::uint64_t{stack} + 1;
    std::memcpy(payload, like.payload, kStackReferenceBytes);
    std::memcpy(payload + kStackReferenceBytes, &key, sizeof(key));
    return {};
}

Spool::KeyNumber Spool::numberOf(std::span<const Address> frames) {
    frames = frames.first(std::min(frames.size(), kMostFrames));
    if (const auto found = numbers_.find(frames); found != numbers_.end()) return found->second;
    const auto number = static_cast<KeyNumber>(stacks_.size());
    stacks_.push_back({frames_.size(), static_cast<std::uint32_t>(frames.size()), 0});
    frames_.insert(frames_.end(), frames.begin(), frames.end());
    numbers_.emplace(number, number);
    return number;
}

/// Frames come before their key, in records of the same processor. None of these may reach the file without them.
Result<void> Spool::defineForUse(const RawRecord& use, KeyNumber stack) {
    auto& known = stacks_[stack];
    const auto processor = std::uint64_t{1} << (use.processor % 64);
    if ((known.definedOn & processor) != 0) return {};
    // At the time of the last finish, the definitions of that finish may be read after this one and end it.
    if (use.ticks > finishedTicks_) known.definedOn |= processor;
    return writeDefinition(stack, stack_opcode::kKeyCreate, use.ticks, use.processor);
}

Result<void> Spool::writeDefinition(KeyNumber stack, std::uint8_t opcode, std::int64_t ticks, std::uint16_t processor) {
    const auto frames = framesOf(stack);
    const std::uint64_t key = std::uint64_t{stack} + 1;
    const auto payload = TRY(writer_->place({.group = group::kStackWalk,
                                             .opcode = opcode,
                                             .version = kStackWalkVersion,
                                             .processor = processor,
                                             .ticks = ticks},
                                            static_cast<std::uint32_t>(sizeof(key) + frames.size_bytes())));
    std::memcpy(payload, &key, sizeof(key));
    std::memcpy(payload + sizeof(key), frames.data(), frames.size_bytes());
    return {};
}

Result<void> Spool::writeDefinitions() {
    for (const auto stack : used_) {
        TRY(writeDefinition(stack, stack_opcode::kKeyRundown, lastTicks_, definitionProcessor_));
    }
    used_.clear();
    finishedTicks_ = lastTicks_;
    ++finishes_;
    return {};
}

Result<void> Spool::flush() { return flushBy(&etl::EtlWriter::flush); }
Result<void> Spool::flushAll() { return flushBy(&etl::EtlWriter::flushAll); }

Result<void> Spool::flushBy(Result<void> (etl::EtlWriter::*by)()) {
    if (error_) return *error_;
    running_.clear();
    if (auto flushed = (*writer_.*by)(); !flushed.hasValue()) return keepError(flushed);
    hasUnflushed_ = false;
    return {};
}

std::int64_t Spool::endFileTime() const {
    return properties_.startFileTime + decode::Clock(properties_).endAfter(lastTicks_).ns / 100;
}

RecordingLosses Spool::withMissing(RecordingLosses lost) const {
    lost.events += eventsInGaps_ + eventsAfterError_;
    return lost;
}

Result<void> Spool::endCutOff(const RecordingLosses& lost) {
    const auto [events, buffers] = withMissing(lost);
    const auto end = writer_->oldestUnwritten().value_or(lastTicks_);
    const auto why = decode::encodeMissing({.firstTicks = end,
                                            .lastTicks = lastTicks_,
                                            .events = eventsAfterError_,
                                            .isEnd = true,
                                            .reason = error_->message});
    return writer_->endCutOff(endFileTime(), narrowed(events), narrowed(buffers), decode::missingRecord(end, 0, why));
}

Result<void> Spool::finish(const RecordingLosses& lost) {
    if (!error_) (void)keepError(writeDefinitions());
    if (!error_) (void)flush();
    if (!error_) {
        const auto [events, buffers] = withMissing(lost);
        (void)keepError(writer_->finish(endFileTime(), narrowed(events), narrowed(buffers)));
    }
    if (!error_) return {};
    (void)endCutOff(lost);
    return *error_;
}

} // namespace highwater::pipeline
