#include "core/pipeline/spool/saved_file.h"

#include "core/base/text.h"
#include "core/etl/packed_copy.h"
#include "core/files/mapped_file.h"
#include "core/files/pending_file.h"
#include "core/source/etl_files/etl_file_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <vector>

namespace highwater::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = 1 << 20;

Result<void> copyStart(const fs::path& from, const fs::path& to, std::uint64_t bytes, OutputFile& output) {
    std::ifstream input(from, std::ios::binary);
    if (!input) return cannotSave(to, "the recording cannot be read");
    std::vector<char> part(kCopyBytes);
    while (bytes > 0) {
        const auto wanted = std::min<std::uint64_t>(bytes, part.size());
        input.read(part.data(), static_cast<std::streamsize>(wanted));
        if (static_cast<std::uint64_t>(input.gcount()) != wanted) return cannotSave(to, "the recording is cut off");
        const ByteSpan span(reinterpret_cast<const std::byte*>(part.data()), wanted);
        TRY(output.append(span));
        bytes -= wanted;
    }
    return output.sync();
}

/// From one file to another.
class SpoolSink final : public etl::RecordSink {
  public:
    explicit SpoolSink(Spool& spool) : spool_(spool) {}
    void onBatch(etl::RecordBatch& batch) override { (void)spool_.write(batch.records); } // finish() returns the error

  private:
    Spool& spool_;
};

Result<void> writeWithLate(const fs::path& from, std::span<const etl::RawRecord> late, const RecordingLosses& lost,
                           etl::Compression compression, etl::ByteOutput& output) {
    TraceHealth health;
    Progress progress;
    auto source = TRY(source::EtlFileSource::open({from}, health));
    auto spool = TRY(Spool::create(output, source->properties(), compression));
    SpoolSink sink(*spool);
    TRY(source->run(sink, health, {}, progress));
    TRY(spool->write(late));
    return spool->finish(lost);
}

} // namespace

Error cannotSave(const fs::path& path, const std::string& why) {
    const auto* const end = why.ends_with('.') ? "" : ".";
    return {ErrorKind::Io, fmt::format("Cannot save {}: {}{}", utf8(path), why, end)};
}

Result<void> writeBeside(const fs::path& path, const std::function<Result<void>(std::unique_ptr<OutputFile>)>& write) {
    auto pending = TRY(PendingFile::beside(path, ".partial"));
    TRY(write(pending.takeFile()));
    if (const auto placed = pending.takePlace(); !placed.hasValue()) return cannotSave(path, placed.error().message);
    return {};
}

Result<void> saveCopy(const fs::path& from, std::uint64_t bytes, const fs::path& to) {
    std::error_code failed;
    if (fs::equivalent(from, to, failed)) return {};
    return writeBeside(to, [&](std::unique_ptr<OutputFile> file) { return copyStart(from, to, bytes, *file); });
}

Result<std::uint64_t> packInPlace(const fs::path& path) {
    std::uint64_t bytes = 0;
    TRY(writeBeside(path, [&](std::unique_ptr<OutputFile> file) -> Result<void> {
        const auto plain = TRY(MappedFile::open(path));
        const auto output = etl::outputTo(std::move(file));
        TRY(etl::copyPacked(plain->bytes(), *output));
        if (plain->hasLostBytes()) return cannotSave(path, "the recording is cut off");
        bytes = output->size();
        return output->sync();
    }));
    return bytes;
}

Result<void> saveWithLate(const fs::path& from, std::span<const etl::RawRecord> late, const RecordingLosses& lost,
                          etl::Compression compression, const fs::path& to) {
    return writeBeside(to, [&](std::unique_ptr<OutputFile> file) {
        return writeWithLate(from, late, lost, compression, *etl::outputTo(std::move(file)));
    });
}

} // namespace highwater::pipeline
