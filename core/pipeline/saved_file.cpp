#include "core/pipeline/saved_file.h"

#include "core/base/text.h"
#include "core/source/etl_file_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <vector>

namespace highwater::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = 1 << 20;

Result<void> copyStart(const fs::path& from, const fs::path& to, std::uint64_t bytes) {
    std::ifstream input(from, std::ios::binary);
    if (!input) return cannotSave(to, "the recording cannot be read");
    auto output = etl::createFileOutput(to);
    if (!output.hasValue()) return output.error();
    std::vector<char> part(kCopyBytes);
    while (bytes > 0) {
        const auto wanted = std::min<std::uint64_t>(bytes, part.size());
        input.read(part.data(), static_cast<std::streamsize>(wanted));
        if (static_cast<std::uint64_t>(input.gcount()) != wanted) return cannotSave(to, "the recording is cut off");
        const ByteSpan span(reinterpret_cast<const std::byte*>(part.data()), wanted);
        if (auto written = output.value()->append(span); !written.hasValue()) return written;
        bytes -= wanted;
    }
    return output.value()->sync();
}

/// From one file into another.
class SpoolSink final : public etl::RecordSink {
  public:
    explicit SpoolSink(Spool& spool) : spool_(spool) {}
    void onBatch(etl::RecordBatch& batch) override { (void)spool_.write(batch.records); } // finish() tells the error

  private:
    Spool& spool_;
};

Result<void> writeWithLate(const fs::path& from, std::span<const etl::RawRecord> late, const RecordingLosses& lost,
                           etl::Compression compression, const fs::path& to) {
    TraceHealth health;
    Progress progress;
    auto source = source::EtlFileSource::open({from}, health);
    if (!source.hasValue()) return source.error();
    auto output = etl::createFileOutput(to);
    if (!output.hasValue()) return output.error();
    auto spool = Spool::create(*output.value(), source.value()->properties(), compression);
    if (!spool.hasValue()) return spool.error();
    SpoolSink sink(*spool.value());
    if (auto read = source.value()->run(sink, health, {}, progress); !read.hasValue()) return read;
    if (auto written = spool.value()->write(late); !written.hasValue()) return written;
    return spool.value()->finish(lost);
}

/// `write` makes the file that is given to it, which is put in its place then.
template <typename Write>
Result<void> writeBeside(const fs::path& path, const Write& write) {
    auto partial = path;
    partial += ".partial";
    Result<void> written = write(partial);
    std::error_code failed;
    if (written.hasValue()) {
        fs::rename(partial, path, failed);
        if (!failed) return {};
        written = cannotSave(path, failed.message());
    }
    fs::remove(partial, failed);
    return written;
}

} // namespace

Error cannotSave(const fs::path& path, const std::string& why) {
    return {ErrorKind::Io, fmt::format("Cannot save {}: {}.", utf8(path), why)};
}

Result<void> saveCopy(const fs::path& from, std::uint64_t bytes, const fs::path& to) {
    std::error_code failed;
    if (fs::equivalent(from, to, failed)) return {};
    return writeBeside(to, [&](const fs::path& partial) { return copyStart(from, partial, bytes); });
}

Result<void> saveWithLate(const fs::path& from, std::span<const etl::RawRecord> late, const RecordingLosses& lost,
                          etl::Compression compression, const fs::path& to) {
    return writeBeside(
        to, [&](const fs::path& partial) { return writeWithLate(from, late, lost, compression, partial); });
}

} // namespace highwater::pipeline
