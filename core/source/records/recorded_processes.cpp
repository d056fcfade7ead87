#include "core/source/records/recorded_processes.h"

#include "core/event/opcodes.h"

namespace highwater::source {
namespace {

constexpr std::uint32_t kKernel = 0; ///< the pid of kernel modules

/// A number in the payload after some pointers and other bytes.
std::optional<std::uint32_t> numberAt(const etl::RawRecord& record, std::size_t pointers, std::size_t bytes) {
    ByteReader reader(record.payloadSpan());
    if (!reader.skip(pointers * record.pointerBytes + bytes)) return std::nullopt;
    return reader.take<std::uint32_t>();
}

/// After the base and the size; before version 1 it was in the header.
std::optional<std::uint32_t> pidOfImage(const etl::RawRecord& record) {
    if (record.version == 0) return record.pid;
    return numberAt(record, 2, 0);
}

bool isImageRecord(const etl::RawRecord& record) {
    return record.group == group::kImage || (record.group == group::kProcess && record.opcode == image_opcode::kLoad);
}

} // namespace

void RecordedProcesses::add(std::uint32_t pid) {
    pids_.insert(pid);
    running_.insert(pid);
}

bool RecordedProcesses::takes(const etl::RawRecord& record) {
    if (record.kind != etl::RawRecord::Kind::Classic) return isOurs(record.pid); // logged by the process itself
    if (isImageRecord(record)) return takesImage(record);
    std::optional<std::uint32_t> pid;
    switch (record.group) {
    case group::kHeap:
        // Logged by the process itself, and only by processes for which it was enabled.
        return record.pid == etl::kNoId || isOurs(record.pid);
    case group::kMemory:
        pid = numberAt(record, 2, 0); // the caller may be another process
        break;
    case group::kProcess:
        return takesProcess(record);
    case group::kThread:
        pid = numberAt(record, 0, 0);
        break;
    case group::kStackWalk:
        pid = numberAt(record, 0, sizeof(std::uint64_t));
        break;
    default:
        break;
    }
    return pid && isOurs(*pid);
}

bool RecordedProcesses::takesProcess(const etl::RawRecord& record) {
    if (record.opcode < lifetime_opcode::kStart || record.opcode > lifetime_opcode::kRundownEnd) return false;
    if (record.version == 0) return false; // Windows 2000
    const auto pid = numberAt(record, 1, 0);
    const auto parent = numberAt(record, 1, 4);
    if (!pid || !parent) return false;
    if (record.opcode == lifetime_opcode::kStart && !running_.contains(*pid)) {
        pids_.erase(*pid); // a reused pid
        if (withChildren_ && isOurs(*parent)) {
            add(*pid);
            newChildren_.push_back(*pid);
        }
    }
    if (record.opcode == lifetime_opcode::kEnd) running_.erase(*pid);
    return isOurs(*pid);
}

bool RecordedProcesses::takesImage(const etl::RawRecord& record) {
    const auto pid = pidOfImage(record);
    if (!pid || (*pid != kKernel && !isOurs(*pid))) return false;
    const auto base = ByteReader(record.payloadSpan()).takePointer(record.pointerBytes);
    if (!base) return false;
    switch (record.opcode) {
    case image_opcode::kRundownStart:
        return images_.insert({*pid, *base}).second; // reported by the system as well, before or after us
    case image_opcode::kLoad:
        images_.insert({*pid, *base});
        return true;
    case image_opcode::kUnload:
        images_.erase({*pid, *base});
        return true;
    default:
        return *pid != kKernel;
    }
}

std::optional<SystemImage> imageOfRecord(const etl::RawRecord& record) {
    const bool isThere = record.opcode == image_opcode::kLoad ||
                         (record.group == group::kImage && record.opcode == image_opcode::kRundownStart);
    if (!isImageRecord(record) || !isThere || record.version < 2) return std::nullopt;
    ByteReader reader(record.payloadSpan());
    const auto base = reader.takePointer(record.pointerBytes);
    const auto size = reader.takePointer(record.pointerBytes);
    const auto pid = reader.take<std::uint32_t>();
    const bool hasChecksum = reader.skip(sizeof(std::uint32_t));
    const auto stamp = reader.take<std::uint32_t>();
    const bool hasRest = reader.skip(sizeof(std::uint32_t) + record.pointerBytes + 16);
    if (!base || !size || !pid || !hasChecksum || !stamp || !hasRest) return std::nullopt;
    return SystemImage{*pid, *base, *size, *stamp, reader.takeUtf16()};
}

} // namespace highwater::source
