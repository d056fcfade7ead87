#include "tests/etw_simulator/played_trace.h"

#include "core/base/text.h"
#include "core/decode/records/process_record.h"
#include "core/etl/class_guids.h"
#include "core/etl/record_merge.h"
#include "core/event/code_opcodes.h"
#include "core/event/opcodes.h"
#include "core/files/mapped_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace highwater::etw_simulator {
namespace {

/// The distance between two instants of the trace at full speed.
constexpr std::int64_t kInstantTicks = kPlayedTicksPerSecond / 1'000'000;

/// Offset of the process id in the payload (docs/etl-format.md 5 to 7).
std::optional<std::size_t> pidOffsetOf(const etl::RawRecord& raw) {
    const std::size_t pointer = raw.pointerBytes;
    switch (raw.group) {
    case group::kMemory:
        if (raw.opcode == virtual_opcode::kAlloc || raw.opcode == virtual_opcode::kFree ||
            raw.opcode == virtual_opcode::kRundownStart || raw.opcode == virtual_opcode::kRundownEnd) {
            return 2 * pointer;
        }
        return std::nullopt;
    case group::kProcess:
        return raw.opcode == image_opcode::kLoad ? 2 * pointer : raw.opcode == 11 ? 0 : pointer;
    case group::kThread:
        return 0;
    case group::kImage:
        return 2 * pointer;
    case group::kStackWalk:
        return 8;
    default:
        return std::nullopt;
    }
}

bool isStack(const PlayedRecord& record) { return !record.isOfProvider && record.group == group::kStackWalk; }

bool isRundownStart(const PlayedRecord& record) {
    const bool lives =
        record.group == group::kProcess || record.group == group::kThread || record.group == group::kImage;
    return (lives && record.opcode == lifetime_opcode::kRundownStart) ||
           (record.group == group::kMemory && record.opcode == virtual_opcode::kRundownStart);
}

template <typename T>
T valueAt(const std::vector<std::byte>& bytes, std::size_t offset) {
    T value{};
    if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

template <typename T>
void setValueAt(std::vector<std::byte>& bytes, std::size_t offset, T value) {
    if (offset + sizeof(T) <= bytes.size()) std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

} // namespace

std::size_t parentOffsetOf(const PlayedRecord& processRecord) { return processRecord.pointerBytes + 4u; }

PlayedTrace::PlayedTrace(const Scenario& scenario) : speed_(scenario.speed) {
    if (!scenario.trace.empty()) readFile(scenario.trace);
    if (!scenario.rundown) std::erase_if(records_, isRundownStart);
    for (const auto& burst : scenario.bursts)
        addBurst(burst, scenario.target);
    sortByTime();
    joinStacks();
    spreadOverTime(scenario.speed);
    disturbStacks(scenario);
}

void PlayedTrace::readFile(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file.hasValue()) throw std::runtime_error(file.error().message);
    TraceHealth health;
    const auto reader = etl::EtlReader::open({file.value()->bytes(), file.value(), utf8(path)}, health);
    if (!reader.hasValue()) throw std::runtime_error(reader.error().message);
    const auto& header = reader.value().header();
    processors_ = std::max<std::uint32_t>(1, header.processors);
    firstFileTicks_ = header.ticks;
    fileTicksPerSecond_ = etl::ticksPerSecondOf(header);
    etl::RecordMerge merge(std::span(&reader.value(), 1), health);
    for (bool more = true; more;) {
        etl::RecordBatch batch;
        more = merge.fill(batch, 65536);
        for (const auto& raw : batch.records)
            addRecord(raw);
    }
}

void PlayedTrace::addOfProvider(const etl::RawRecord& raw) {
    const auto isThis = [provider = raw.providerGuid()](const Guid& guid) { return guid == provider; };
    if (!std::ranges::any_of(std::array{kClrProvider, kClrRundownProvider, kScriptProvider}, isThis)) return;
    records_.push_back({.fileTicks = raw.ticks,
                        .payload = {raw.payload, raw.payload + raw.payloadBytes},
                        .eventClass = raw.providerGuid(),
                        .pid = raw.pid,
                        .tid = raw.tid,
                        .processor = raw.processor,
                        .version = raw.version,
                        .eventId = raw.eventId,
                        .isOfProvider = true,
                        .opcode = raw.opcode,
                        .pointerBytes = raw.pointerBytes,
                        .ofProcess = raw.pid});
}

/// Records that only a merge puts into a file (image identities, volumes) are not played.
void PlayedTrace::addRecord(const etl::RawRecord& raw) {
    if (raw.kind == etl::RawRecord::Kind::Provider) return addOfProvider(raw);
    if (raw.kind != etl::RawRecord::Kind::Classic) return;
    const auto eventClass = etl::classOfGroup(raw.group);
    if (!eventClass) return;
    if (raw.group == group::kStackWalk && raw.opcode != stack_opcode::kStackWalk) {
        throw std::runtime_error("only traces whose stacks are StackWalk records are played");
    }
    PlayedRecord record{.fileTicks = raw.ticks,
                        .payload = {raw.payload, raw.payload + raw.payloadBytes},
                        .eventClass = raw.provider != nullptr ? raw.providerGuid() : *eventClass,
                        .pid = raw.pid,
                        .tid = raw.tid,
                        .processor = raw.processor,
                        .version = raw.version,
                        .group = raw.group,
                        .opcode = raw.opcode,
                        .pointerBytes = raw.pointerBytes,
                        .ofProcess = raw.pid,
                        .pidOffset = pidOffsetOf(raw)};
    if (raw.group == group::kProcess && raw.opcode <= lifetime_opcode::kRundownEnd) {
        record.parent = valueAt<std::uint32_t>(record.payload, parentOffsetOf(record));
    }
    if (record.pidOffset) record.ofProcess = valueAt<std::uint32_t>(record.payload, *record.pidOffset);
    if (raw.group == group::kProcess && raw.opcode == lifetime_opcode::kStart) {
        if (const auto process = decode::decodeProcess(raw)) record.startedProgram = process->name;
    }
    records_.push_back(std::move(record));
}

void PlayedTrace::addBurst(const Burst& burst, std::uint32_t pid) {
    const auto begin = fileTicksAt(burst.seconds);
    for (std::uint32_t i = 0; i < burst.blocks; ++i) {
        PlayedRecord record{.fileTicks = begin + i * std::max<std::int64_t>(1, fileTicksPerSecond_ / 1'000'000),
                            .payload = std::vector<std::byte>(28),
                            .eventClass = *etl::classOfGroup(group::kHeap),
                            .pid = pid,
                            .tid = pid + 1,
                            .version = 2,
                            .group = group::kHeap,
                            .opcode = heap_opcode::kAlloc,
                            .ofProcess = pid};
        setValueAt<std::uint64_t>(record.payload, 0, 0x7B0000);
        setValueAt<std::uint64_t>(record.payload, 8, 40);
        setValueAt<std::uint64_t>(record.payload, 16, 0x7B00000000 + std::uint64_t{i} * 64);
        setValueAt<std::uint32_t>(record.payload, 24, 3);
        records_.push_back(std::move(record));
    }
}

/// Joins every stack with its event: the one with its time and thread, or process if it has no thread.
void PlayedTrace::joinStacks() {
    std::unordered_multimap<std::int64_t, const PlayedRecord*> events;
    for (const auto& record : records_) {
        if (!isStack(record) && !record.isOfProvider) events.emplace(record.fileTicks, &record);
    }
    for (auto& stack : records_) {
        if (!isStack(stack)) continue;
        const auto tid = valueAt<std::uint32_t>(stack.payload, 12);
        const auto [begin, end] = events.equal_range(valueAt<std::int64_t>(stack.payload, 0));
        for (auto found = begin; found != end; ++found) {
            const auto& event = *found->second;
            if (event.tid != tid && !(event.tid == etl::kNoId && event.ofProcess == stack.ofProcess)) continue;
            stack.eventGroup = event.group;
            stack.eventOpcode = event.opcode;
            if (event.tid == tid) break;
        }
    }
}

void PlayedTrace::spreadOverTime(double speed) {
    for (const auto& record : records_)
        instants_.push_back(record.fileTicks);
    std::ranges::sort(instants_);
    const auto repeated = std::ranges::unique(instants_);
    instants_.erase(repeated.begin(), repeated.end());
    std::int64_t last = -1;
    for (std::size_t i = 0; i < instants_.size(); ++i) {
        const auto seconds =
            static_cast<double>(instants_[i] - firstFileTicks_) / static_cast<double>(fileTicksPerSecond_);
        const auto wanted = speed > 0 ? std::llround(seconds / speed * kPlayedTicksPerSecond)
                                      : static_cast<std::int64_t>(i) * kInstantTicks;
        last = std::max(last + 1, static_cast<std::int64_t>(wanted));
        played_.push_back(last);
    }
    const auto playedAt = [this](std::int64_t fileTicks) {
        const auto at = std::ranges::lower_bound(instants_, fileTicks) - instants_.begin();
        return played_[std::min(static_cast<std::size_t>(at), played_.size() - 1)];
    };
    for (auto& record : records_) {
        record.ticks = playedAt(record.fileTicks);
        if (isStack(record)) setValueAt(record.payload, 0, playedAt(valueAt<std::int64_t>(record.payload, 0)));
    }
}

void PlayedTrace::disturbStacks(const Scenario& scenario) {
    if (scenario.lostStacks > 0) {
        unsigned number = 0;
        std::erase_if(records_, [&](const PlayedRecord& record) {
            return isStack(record) && ++number % scenario.lostStacks == 0;
        });
    }
    if (scenario.lateStacksMs == 0) return;
    for (auto& record : records_) {
        if (isStack(record)) record.ticks += scenario.lateStacksMs * (kPlayedTicksPerSecond / 1000);
    }
    std::ranges::stable_sort(records_, {}, &PlayedRecord::ticks);
}

void PlayedTrace::sortByTime() { std::ranges::stable_sort(records_, {}, &PlayedRecord::fileTicks); }

std::int64_t PlayedTrace::fileTicksAt(double seconds) const {
    return firstFileTicks_ + static_cast<std::int64_t>(seconds * static_cast<double>(fileTicksPerSecond_));
}

std::int64_t PlayedTrace::ticksAt(double seconds) const {
    const auto wanted = fileTicksAt(seconds);
    const auto next = std::ranges::lower_bound(instants_, wanted);
    if (next != instants_.end()) return played_[static_cast<std::size_t>(next - instants_.begin())];
    // After the end, time continues at the same rate.
    const auto last = instants_.empty() ? firstFileTicks_ : instants_.back();
    const auto behind = static_cast<double>(wanted - last) / static_cast<double>(fileTicksPerSecond_);
    const auto lastPlayed = played_.empty() ? 0 : played_.back();
    return lastPlayed + (speed_ > 0 ? std::llround(behind / speed_ * kPlayedTicksPerSecond) : 0);
}

} // namespace highwater::etw_simulator
