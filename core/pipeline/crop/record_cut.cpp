#include "core/pipeline/crop/record_cut.h"

#include "core/base/byte_reader.h"
#include "core/decode/records/code_record.h"
#include "core/decode/records/image_record.h"
#include "core/decode/records/process_record.h"
#include "core/decode/records/stack_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/spool/memory_record.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

using etl::RawRecord;

constexpr std::uint32_t kIdlePid = 0, kSystemPid = 4; ///< own the kernel images

bool isClassic(const RawRecord& record, std::uint8_t group) {
    return record.kind == RawRecord::Kind::Classic && record.group == group;
}

bool isOwn(const RawRecord& record) {
    return record.kind == RawRecord::Kind::Provider && record.providerGuid() == kHighwaterProvider;
}

bool isImage(const RawRecord& record) {
    return isClassic(record, group::kImage) ||
           (isClassic(record, group::kProcess) && record.opcode == image_opcode::kLoad);
}

/// The written file has its own header.
bool isHeader(const RawRecord& record) { return isClassic(record, group::kEventTrace) && record.opcode == 0; }

/// Record with the start of a trace that was only partly kept. A crop without a start of its own also begins there;
/// other crops do not.
bool isBegin(const RawRecord& record) { return isOwn(record) && record.opcode == highwater_opcode::kWindow; }

/// Records about heaps themselves, which are few.
bool isAboutHeaps(const RawRecord& record) {
    if (isClassic(record, group::kHeap))
        return record.opcode == heap_opcode::kCreate || record.opcode == heap_opcode::kDestroy;
    return isClassic(record, group::kMemory) && record.opcode >= heap_range_opcode::kRundown &&
           record.opcode <= heap_range_opcode::kDestroy;
}

/// The outstanding blocks of earlier snapshots are no longer known. A sample or a picture describes an instant.
bool isOwnFactBefore(const RawRecord& record) {
    return record.opcode != highwater_opcode::kSnapshot && record.opcode != highwater_opcode::kSnapshotUndone &&
           record.opcode != highwater_opcode::kResident && record.opcode != highwater_opcode::kPicture;
}

bool isFactBefore(const RawRecord& record) {
    if (record.kind == RawRecord::Kind::Classic) {
        switch (record.group) {
        case group::kProcess:
        case group::kImage:
        case group::kConfig:
            return true;
        case group::kThread:
            return record.opcode <= lifetime_opcode::kRundownEnd || record.opcode == thread_opcode::kSetName;
        case group::kPerfInfo:
            return record.opcode == perf_info_opcode::kMark;
        default:
            return isAboutHeaps(record);
        }
    }
    if (record.kind != RawRecord::Kind::Provider) return false;
    const auto provider = record.providerGuid();
    if (provider == kHighwaterProvider) return isOwnFactBefore(record);
    return provider == kImageIdProvider || provider == kSystemConfigProvider || provider == kLostEventProvider ||
           decode::isCodeProvider(provider);
}

/// Ticks of the instant that a Highwater record describes: its payload begins with them.
std::int64_t describedTicks(const RawRecord& record) {
    return ByteReader(record.payloadSpan()).take<std::int64_t>().value_or(record.ticks);
}

bool isOwnFactAfter(const RawRecord& record, std::int64_t end) {
    switch (record.opcode) {
    case highwater_opcode::kMachine:
    case highwater_opcode::kRemark:
    case highwater_opcode::kCode:
        return true;
    case highwater_opcode::kMarkEdit:
    case highwater_opcode::kLateMark:
    case highwater_opcode::kMissing:
    case highwater_opcode::kLossPlace:
        return describedTicks(record) < end;
    default:
        return false;
    }
}

bool isFactAfter(const RawRecord& record, std::int64_t end) {
    if (record.kind == RawRecord::Kind::Classic) {
        if (record.group == group::kConfig) return true;
        const bool isLifetimeRecord =
            record.group == group::kProcess || record.group == group::kImage || record.group == group::kThread;
        const bool isName = record.group == group::kThread && record.opcode == thread_opcode::kSetName;
        return isName || (isLifetimeRecord && record.opcode == lifetime_opcode::kRundownEnd);
    }
    if (record.kind != RawRecord::Kind::Provider) return false;
    const auto provider = record.providerGuid();
    if (provider == kHighwaterProvider) return isOwnFactAfter(record, end);
    if (provider == kImageIdProvider || provider == kSystemConfigProvider) return true;
    CodeCounts counts;
    return decode::isCodeProvider(provider) && decode::decodeCode(record, provider, counts).event.has_value();
}

} // namespace

RecordCut::RecordCut(TickRange range, const CropProcesses& processes) : range_(range), processes_(processes) {}

/// Heap records of Highwater files may omit their process, which is then that of the last context switch record.
void RecordCut::noteSwitch(const RawRecord& record) {
    if (!isClassic(record, group::kThread) || record.opcode != thread_opcode::kContextSwitch) return;
    if (record.pid == etl::kNoId) return;
    if (record.processor >= running_.size()) running_.resize(record.processor + std::size_t{1});
    running_[record.processor] = {record.pid, record.tid};
}

RawRecord RecordCut::withThread(const RawRecord& record) const {
    auto whole = record;
    if (!isClassic(record, group::kHeap) || record.tid != etl::kNoId) return whole;
    if (record.processor >= running_.size() || running_[record.processor].tid == etl::kNoId) return whole;
    whole.pid = running_[record.processor].pid;
    whole.tid = running_[record.processor].tid;
    whole.header = record.pointerBytes == 4 ? etl::HeaderType::Compact32 : etl::HeaderType::Compact64;
    return whole;
}

bool RecordCut::belongsToChosenProcess(const RawRecord& record) const {
    if (processes_.areAll()) return true;
    const auto pid = processOf(record);
    if (pid && processes_.contains(*pid)) return true;
    if (record.kind == RawRecord::Kind::Provider) return !pid;
    if (record.kind != RawRecord::Kind::Classic) return false;
    if (isImage(record)) return pid == kIdlePid || pid == kSystemPid;
    if (pid) return false;
    return record.group == group::kConfig || record.group == group::kMemory || record.group == group::kEventTrace ||
           (record.group == group::kPerfInfo && record.opcode == perf_info_opcode::kMark);
}

void RecordCut::noteStartAfter(const RawRecord& record) {
    if (isClassic(record, group::kProcess) && record.opcode == lifetime_opcode::kStart) {
        if (const auto process = decode::decodeProcess(record)) startedAfter_.insert(process->pid);
    } else if (isImage(record) && record.opcode == image_opcode::kLoad) {
        if (const auto image = decode::decodeImage(record)) loadedAfter_.emplace(image->pid, image->base);
    }
}

bool RecordCut::hasBegunAfter(const RawRecord& record) const {
    if (isImage(record)) {
        const auto image = decode::decodeImage(record);
        return image && loadedAfter_.contains({image->pid, image->base});
    }
    const auto pid = processOf(record);
    return pid && startedAfter_.contains(*pid);
}

bool RecordCut::belongsBefore(const RawRecord& record) {
    if (!isFactBefore(record)) return false;
    if (isAboutHeaps(record)) keptBefore_.insert(record.ticks);
    return true;
}

bool RecordCut::belongsAfter(const RawRecord& record) {
    noteStartAfter(record);
    return isFactAfter(record, range_.end) && !hasBegunAfter(record);
}

bool RecordCut::stackBelongs(const RawRecord& record) {
    const auto reference = decode::decodeStackReference(record);
    if (!reference || !processes_.contains(reference->pid)) return false;
    const bool isKey = record.opcode != stack_opcode::kStackWalk;
    if (reference->eventTicks >= range_.first) {
        if (isKey && reference->eventTicks < range_.end) keys_.use(record);
        return reference->eventTicks < range_.end;
    }
    if (!keptBefore_.contains(reference->eventTicks)) return false;
    const auto definition = isKey ? keys_.useBefore(record) : std::nullopt;
    if (definition) kept_.push_back(*definition);
    return true;
}

bool RecordCut::definitionBelongs(const RawRecord& record) {
    if (record.ticks < range_.first) return keys_.define(record);
    return record.ticks < range_.end || keys_.isFirstAfter(record);
}

bool RecordCut::belongs(const RawRecord& record) {
    if (isKeyDefinition(record)) return definitionBelongs(record);
    if (isStackReference(record)) return stackBelongs(record);
    if (!belongsToChosenProcess(record)) return false;
    if (record.ticks < range_.first && !belongsBefore(record)) return false;
    if (record.ticks >= range_.end && !belongsAfter(record)) return false;
    if (record.extendedBytes > 0) keys_.use(record);
    return true;
}

std::span<const RawRecord> RecordCut::cut(const RawRecord& record) {
    kept_.clear();
    noteSwitch(record);
    if (isHeader(record) || (isBegin(record) && hasStart())) return kept_;
    const auto whole = withThread(record);
    if (!belongs(whole)) return kept_;
    kept_.push_back(whole);
    for (auto& kept : kept_)
        kept.ticks = std::min(kept.ticks, range_.end - 1);
    return kept_;
}

bool RecordCut::affectsStartState(const RawRecord& record) const {
    if (isKeyDefinition(record)) return true;
    if (!isStackReference(record)) return record.ticks < range_.first;
    const auto reference = decode::decodeStackReference(record);
    return reference && reference->eventTicks < range_.first;
}

} // namespace highwater::pipeline
