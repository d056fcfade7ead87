#pragma once

#include "core/pipeline/spool/carry_over.h"
#include "core/pipeline/spool/metadata_records.h"
#include "core/pipeline/spool/spool.h"

#include <filesystem>
#include <memory>

namespace highwater::pipeline {

/// A file with what it is written through.
struct OpenSpool {
    std::shared_ptr<etl::ByteOutput> output;
    std::unique_ptr<Spool> spool; ///< uses the output

    void close() {
        spool.reset();
        output.reset();
    }
};
/// Whether a spool is compressed, and by whom.
struct SpoolPacking {
    etl::Compression compression = etl::Compression::Xpress;
    etl::Packing by = etl::Packing::AtOnce;
};
/// Begins a file that was just made at this place; nothing is left of it if that fails.
[[nodiscard]] Result<OpenSpool> openSpool(std::shared_ptr<etl::ByteOutput> output, const std::filesystem::path& path,
                                          const TraceProperties& properties, const SpoolPacking& packing);

/// The file that a recording goes on in when it lets go of its oldest part. It begins later than the file that is kept
/// until then, grows beside it, and is whole when what was outstanding at its begin has been added: then it takes that
/// file's place. So there is a file that is whole at any time. One thread.
class NextSpool {
  public:
    struct Begin {
        std::filesystem::path place; ///< of the file that is kept until then; this one lies beside it
        std::int64_t startTicks = 0;
        TraceProperties properties;
        SpoolPacking packing{};
    };
    static Result<std::unique_ptr<NextSpool>> create(const Begin& begin, const MetadataRecords& facts);
    /// Deletes the file, unless it took the place.
    ~NextSpool();
    NextSpool(const NextSpool&) = delete;
    NextSpool& operator=(const NextSpool&) = delete;

    /// Records of the recording; those from before the begin are left out.
    Result<void> write(std::span<const etl::RawRecord> records);
    [[nodiscard]] std::uint64_t bytesWritten() const { return file_.spool->bytesWritten(); }
    /// Adds what was outstanding, and makes sure that it is on the disk.
    Result<void> complete(const CarryOver& state);
    /// Puts the file in its place, which nobody has open any more. To be called last.
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
