#include "core/pipeline/recording_notes.h"

#include "core/base/text.h"
#include "core/decode/records/picture_record.h"
#include "core/decode/records/remark_record.h"
#include "core/decode/records/resident_record.h"
#include "core/decode/records/snapshot_record.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace highwater::pipeline {
namespace {

constexpr std::size_t kMostNameBytes = 1000;
constexpr std::uint64_t kPageBytes = 4096;

template <typename T>
void put(std::vector<std::byte>& out, const T& value) {
    const auto at = out.size();
    out.resize(at + sizeof(value));
    std::memcpy(out.data() + at, &value, sizeof(value));
}

etl::RawRecord classic(std::uint8_t group, std::uint8_t opcode) {
    etl::RawRecord record;
    record.header = etl::HeaderType::PerfInfo64;
    record.group = group;
    record.opcode = opcode;
    record.version = kVersion2;
    return record;
}

etl::RawRecord own(std::uint8_t opcode) {
    etl::RawRecord record;
    record.kind = etl::RawRecord::Kind::Provider;
    record.header = etl::HeaderType::Full64;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    record.opcode = opcode;
    record.pid = record.tid = 0;
    return record;
}

std::vector<std::byte> ticksAndName(std::int64_t ticks, const std::string& name) {
    std::vector<std::byte> payload;
    put(payload, ticks);
    for (const char letter : startOfText(name, kMostNameBytes))
        put(payload, letter);
    put(payload, '\0');
    return payload;
}

} // namespace

void RecordingNotes::begin(const TraceProperties& properties, std::uint16_t processor) {
    const std::lock_guard lock(mutex_);
    reached_ = lastMark_ = properties.firstTicks;
    processor_ = processor;
}

void RecordingNotes::add(Note note) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(note));
}

/// Writes the mark as Windows does, so that Windows tools also show it.
void RecordingNotes::mark(const std::string& name) {
    Note note{classic(group::kPerfInfo, perf_info_opcode::kMark), {}, Note::Kind::Mark};
    note.name = name;
    appendUtf16(note.payload, startOfText(name, kMostNameBytes));
    add(std::move(note));
}

std::vector<std::string> RecordingNotes::takeWaitingMarks() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    std::erase_if(waiting_, [&](Note& note) {
        if (note.kind != Note::Kind::Mark) return false;
        names.push_back(std::move(note.name));
        return true;
    });
    return names;
}

void RecordingNotes::editMark(std::int64_t markTicks, const std::string& name) {
    add({own(highwater_opcode::kMarkEdit), ticksAndName(markTicks, name), Note::Kind::Other, {}, {}});
}

void RecordingNotes::lateMark(std::int64_t ticks, const std::string& name) {
    add({own(highwater_opcode::kLateMark), ticksAndName(ticks, name), Note::Kind::Other, {}, {}});
}

void RecordingNotes::lateSnapshot(std::uint32_t number, std::int64_t ticks) {
    SnapshotTaken taken;
    taken.number = number;
    add({own(highwater_opcode::kSnapshot), decode::encodeLateSnapshot(taken, ticks), Note::Kind::Other, {}, {}});
}

void RecordingNotes::undoLateSnapshot(std::int64_t ticks) {
    Note note{own(highwater_opcode::kSnapshotUndone), {}, Note::Kind::Other, {}};
    put(note.payload, ticks);
    add(std::move(note));
}

std::uint32_t RecordingNotes::snapshot(SnapshotOrigin origin, std::optional<std::int64_t> ticks) {
    const std::lock_guard lock(mutex_);
    SnapshotTaken taken;
    taken.number = ++lastSnapshot_;
    taken.origin = origin;
    waiting_.push_back({own(highwater_opcode::kSnapshot), decode::encodeSnapshot(taken), Note::Kind::Other, ticks, {}});
    return taken.number;
}

/// Tools use either of the two fields, so both have the same value.
void RecordingNotes::privateBytes(std::uint32_t pid, const source::ProcessMemory& memory,
                                  std::optional<std::int64_t> ticks) {
    Note note{classic(group::kMemory, process_memory_opcode::kSample), {}, Note::Kind::Measured, ticks, {}};
    const auto pages = memory.privateBytes / kPageBytes + (memory.privateBytes % kPageBytes != 0 ? 1 : 0);
    put(note.payload, std::uint32_t{1});
    put(note.payload, pid);
    put(note.payload, memory.residentBytes / kPageBytes);
    put(note.payload, pages);            // commit charge
    put(note.payload, std::uint64_t{0}); // virtual size: not queried
    put(note.payload, pages);            // private working set
    for (int unused = 0; unused < 4; ++unused) {
        put(note.payload, std::uint64_t{0});
    }
    add(std::move(note));
}

std::uint64_t RecordingNotes::resident(const ResidentSample& sample, std::optional<std::int64_t> ticks) {
    const auto number = [this] {
        const std::lock_guard lock(mutex_);
        return ++lastResident_;
    }();
    return addParts(own(highwater_opcode::kResident), decode::encodeResidentSample(sample, number),
                    Note::Kind::Measured, ticks);
}

/// Its records contain its time, which is earlier than what was written meanwhile.
std::uint64_t RecordingNotes::picture(const MemoryPicture& picture, std::int64_t ticks) {
    const auto number = [this] {
        const std::lock_guard lock(mutex_);
        return ++lastPicture_;
    }();
    return addParts(own(highwater_opcode::kPicture), decode::encodePicture(picture, ticks, number), Note::Kind::Other,
                    std::nullopt);
}

std::uint64_t RecordingNotes::addParts(const etl::RawRecord& record, std::vector<std::vector<std::byte>> payloads,
                                       Note::Kind kind, std::optional<std::int64_t> ticks) {
    if (payloads.empty()) return 0;
    std::uint64_t bytes = 0;
    for (const auto& payload : payloads)
        bytes += payload.size();
    Note note{record, std::move(payloads.front()), kind, ticks, {}};
    payloads.erase(payloads.begin());
    note.more = std::move(payloads);
    add(std::move(note));
    return bytes;
}

void RecordingNotes::remark(const std::string& sentence) {
    add({own(highwater_opcode::kRemark), decode::encodeRemark({sentence}), Note::Kind::Other, {}, {}});
}

std::vector<etl::RawRecord> RecordingNotes::recordsOf(Note note, std::int64_t ticks, etl::RecordBatch& batch) const {
    note.record.ticks = ticks;
    note.record.processor = processor_;
    note.more.insert(note.more.begin(), std::move(note.payload));
    const auto payloads = std::make_shared<const std::vector<std::vector<std::byte>>>(std::move(note.more));
    batch.memory.push_back(payloads);
    std::vector<etl::RawRecord> records(payloads->size(), note.record);
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].payload = (*payloads)[i].data();
        records[i].payloadBytes = static_cast<std::uint32_t>((*payloads)[i].size());
    }
    return records;
}

void RecordingNotes::addTo(etl::RecordBatch& batch) {
    const std::lock_guard lock(mutex_);
    const auto reachedBefore = reached_;
    if (!batch.records.empty()) reached_ = std::max(reached_, batch.records.back().ticks);
    reached_ = std::max(reached_, batch.reachedTicks);
    const bool isLast = batch.records.empty() && batch.reachedTicks == 0;
    std::vector<Note> measured;
    std::vector<Note> tooEarly;
    for (auto& note : std::exchange(waiting_, {})) {
        if (note.kind == Note::Kind::Measured) {
            auto& list = note.ticks && *note.ticks > reached_ && !isLast ? tooEarly : measured;
            list.push_back(std::move(note));
            continue;
        }
        if (note.ticks && *note.ticks > reached_ && !isLast) {
            tooEarly.push_back(std::move(note));
            continue;
        }
        // A mark is identified by its time.
        if (note.kind == Note::Kind::Mark) reached_ = lastMark_ = std::max(reached_, lastMark_ + 1);
        const auto records = recordsOf(std::move(note), reached_, batch);
        batch.records.insert(batch.records.end(), records.begin(), records.end());
    }
    waiting_ = std::move(tooEarly);
    addMeasured(std::move(measured), reachedBefore, batch);
}

/// Each after the records up to its time. One without a time goes before the new records.
void RecordingNotes::addMeasured(std::vector<Note> measured, std::int64_t reachedBefore, etl::RecordBatch& batch) {
    for (auto& note : measured)
        note.ticks = std::max(note.ticks.value_or(reachedBefore), reachedBefore);
    std::ranges::stable_sort(measured, std::ranges::less(), [](const Note& note) { return *note.ticks; });
    for (auto note = measured.rbegin(); note != measured.rend(); ++note) {
        const auto ticks = *note->ticks;
        reached_ = std::max(reached_, ticks); // later only in the last batch, which more notes may follow
        const auto place = ticks == reachedBefore ? batch.records.begin()
                                                  : std::ranges::upper_bound(batch.records, ticks, std::ranges::less(),
                                                                             &etl::RawRecord::ticks);
        const auto at = place - batch.records.begin();
        const auto records = recordsOf(std::move(*note), ticks, batch);
        batch.records.insert(batch.records.begin() + at, records.begin(), records.end());
    }
}

} // namespace highwater::pipeline
