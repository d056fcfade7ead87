#pragma once

#include "core/pipeline/spool/carry_over.h"
#include "core/pipeline/spool/metadata_records.h"
#include "core/pipeline/spool/spool.h"

#include <filesystem>
#include <memory>

namespace highwater::pipeline {

/// A file and its writer.
struct OpenSpool {
    std::shared_ptr<etl::ByteOutput> output;
    std::unique_ptr<Spool> spool; ///< uses the output

    void close() {
        spool.reset();
        output.reset();
    }
};
/// The compression of a spool, and the thread that compresses.
struct SpoolPacking {
    etl::Compression compression = etl::Compression::Xpress;
    etl::Packing by = etl::Packing::AtOnce;
};
/// Writes the header of a file that was just created at this place. The file is deleted on failure.
[[nodiscard]] Result<OpenSpool> openSpool(std::shared_ptr<etl::ByteOutput> output, const std::filesystem::path& path,
                                          const TraceProperties& properties, const SpoolPacking& packing);

/// The file in which a recording continues when it discards its oldest part. It starts later than the current file,
/// grows in parallel, and is complete when the allocations outstanding at its start have been added. Then it replaces
/// the current file. Therefore a complete file exists at all times. One thread.
class NextSpool {
  public:
    struct Begin {
        std::filesystem::path place; ///< path of the current file; this one is in the same folder
        std::int64_t startTicks = 0;
        TraceProperties properties;
        SpoolPacking packing{};
    };
    static Result<std::unique_ptr<NextSpool>> create(const Begin& begin, const MetadataRecords& facts);
    /// Deletes the file unless it replaced the current one.
    ~NextSpool();
    NextSpool(const NextSpool&) = delete;
    NextSpool& operator=(const NextSpool&) = delete;

    /// Records of the recording; those before the start are left out.
    Result<void> write(std::span<const etl::RawRecord> records);
    [[nodiscard]] std::uint64_t bytesWritten() const { return file_.spool->bytesWritten(); }
    /// Adds the outstanding allocations and syncs the file to the disk.
    Result<void> complete(const CarryOver& state);
    /// Moves the file to its final place, which must not be open any more. Call last.
    Result<OpenSpool> takePlace();

  private:
    NextSpool(Begin begin, std::filesystem::path path, OpenSpool file);
    [[nodiscard]] bool isBefore(const etl::RawRecord& record) const;

    Begin begin_;
    std::filesystem::path path_;
    OpenSpool file_;
    std::uint16_t carryOverProcessor_;
    std::vector<etl::RawRecord> kept_;
};

} // namespace highwater::pipeline
