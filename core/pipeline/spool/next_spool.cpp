#include "core/pipeline/spool/next_spool.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/pipeline/spool/memory_record.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace highwater::pipeline {
namespace {

/// After those of the recording and of the marks: carried records have their own processor number because they are
/// written late.
std::uint16_t carryOverProcessor(const TraceProperties& properties) {
    constexpr std::uint16_t kMost = 0xFFF0u;
    return static_cast<std::uint16_t>(std::min(Spool::ownProcessor(properties), kMost) + 1u);
}

TraceProperties withCarryOverProcessor(TraceProperties properties) {
    properties.processors = carryOverProcessor(properties) + 1u;
    return properties;
}

} // namespace

Result<OpenSpool> openSpool(std::shared_ptr<etl::ByteOutput> output, const std::filesystem::path& path,
                            const TraceProperties& properties, const SpoolPacking& packing) {
    OpenSpool file;
    file.output = std::move(output);
    auto spool = Spool::create(*file.output, properties, packing.compression, packing.by);
    if (!spool.hasValue()) {
        file.close(); // Windows does not delete open files
        std::error_code gone;
        std::filesystem::remove(path, gone);
        return spool.error();
    }
    file.spool = std::move(spool).value();
    return file;
}

Result<std::unique_ptr<NextSpool>> NextSpool::create(const Begin& begin, const MetadataRecords& facts) {
    auto made = TRY(createBeside(begin.place, ".next"));
    auto& [path, output] = made;
    auto file =
        TRY(openSpool(etl::outputTo(std::move(output)), path, withCarryOverProcessor(begin.properties), begin.packing));
    std::unique_ptr<NextSpool> next(new NextSpool(begin, path, std::move(file)));
    TRY(next->file_.spool->write(facts.records()));
    return next;
}

NextSpool::NextSpool(Begin begin, std::filesystem::path path, OpenSpool file)
    : begin_(std::move(begin)),
      path_(std::move(path)),
      file_(std::move(file)),
      carryOverProcessor_(carryOverProcessor(begin_.properties)) {}

NextSpool::~NextSpool() {
    if (!file_.output) return;
    file_.close();
    std::error_code gone;
    std::filesystem::remove(path_, gone);
}

/// Whether the record is about memory before the start, or a later stack of such a record.
bool NextSpool::isBefore(const etl::RawRecord& record) const {
    if (record.kind != etl::RawRecord::Kind::Classic) return false;
    const bool isMemory = record.group == group::kHeap || record.group == group::kMemory;
    if (isMemory) return record.ticks < begin_.startTicks;
    if (!isStackReference(record)) return false;
    const auto reference = decode::decodeStackReference(record);
    return reference && reference->eventTicks < begin_.startTicks;
}

Result<void> NextSpool::write(std::span<const etl::RawRecord> records) {
    kept_.clear();
    std::copy_if(records.begin(), records.end(), std::back_inserter(kept_),
                 [this](const auto& record) { return !isBefore(record); });
    return file_.spool->write(kept_);
}

Result<void> NextSpool::complete(const CarryOver& state) {
    const auto write = [this](std::span<const etl::RawRecord> records) { return file_.spool->write(records); };
    TRY(writeCarryOver(state, begin_.properties, carryOverProcessor_, write));
    TRY(file_.spool->flushAll());
    return file_.output->sync();
}

Result<OpenSpool> NextSpool::takePlace() {
    std::error_code failed;
    std::filesystem::rename(path_, begin_.place, failed);
    if (failed) {
        return Error{ErrorKind::Io, fmt::format("Cannot move {} into place: {}.", utf8(path_), failed.message())};
    }
    return std::move(file_);
}

} // namespace highwater::pipeline
