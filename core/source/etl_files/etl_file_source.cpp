#include "core/source/etl_files/etl_file_source.h"

#include "core/base/text.h"
#include "core/etl/foreign_format.h"
#include "core/etl/record_merge.h"
#include "core/files/mapped_file.h"
#include "core/source/etl_files/lost_parts.h"
#include "core/source/etl_files/same_boot.h"
#include "core/source/etl_files/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>

namespace highwater::source {
namespace {

constexpr std::size_t kFileBatchRecords = 1024;
constexpr std::size_t kMaxFiles = 0xFFFF;
/// Size of the mapped part behind the reading position. It is limited so that a large trace does not make the program
/// look large.
constexpr std::uint64_t kStaysMapped = std::uint64_t{64} << 20;

bool isTraceName(std::string_view name) {
    constexpr std::string_view kSuffix = ".etl";
    return name.size() >= kSuffix.size() && equalsIgnoringCase(name.substr(name.size() - kSuffix.size()), kSuffix);
}

/// The traces inside an archive.
Result<std::vector<etl::FileImage>> unpack(const etl::FileImage& archive, TraceHealth& health) {
    auto zip = TRY(ZipArchive::open(archive.bytes, archive.name));
    std::vector<etl::FileImage> images;
    UnpackingRoom room{etl::ExpansionLimit::of(archive.bytes.size()).spaceBytes};
    for (const auto& entry : zip.entries()) {
        if (!isTraceName(entry.name)) continue;
        auto content = TRY(zip.read(entry, room));
        auto& [bytes, memory, isWhole] = content;
        if (!isWhole) health.remark(fmt::format("{} in {} is damaged or cut off.", entry.name, archive.name));
        images.push_back(
            {bytes, memory ? std::move(memory) : archive.memory, fmt::format("{} in {}", entry.name, archive.name)});
    }
    if (images.empty()) {
        return Error{ErrorKind::NotATrace,
                     fmt::format("{} is a zip archive without an .etl file in it.", archive.name)};
    }
    return images;
}

Result<std::vector<etl::FileImage>> imagesOf(etl::FileImage file, TraceHealth& health) {
    if (etl::isZipArchive(file.bytes)) return unpack(file, health);
    return std::vector<etl::FileImage>{std::move(file)};
}

} // namespace

class EtlFileSource::Impl {
  public:
    /// Opens the traces in all files that the user named. ahead 0: all buffers are listed first.
    static Result<std::unique_ptr<Impl>> create(std::vector<etl::FileImage> files, TraceHealth& health,
                                                std::uint64_t ahead) {
        auto impl = std::make_unique<Impl>();
        if (files.size() == 1 && ahead > 0 && files.front().bytes.size() / 2 > ahead) impl->ahead_ = ahead;
        for (auto& file : files) {
            impl->paths_.push_back(file.name);
            impl->fileBytes_ += file.bytes.size();
            const auto limit = etl::ExpansionLimit::of(file.bytes.size());
            auto images = TRY(imagesOf(std::move(file), health));
            TRY(impl->add(std::move(images), limit, health));
        }
        TRY(checkSameBoot(impl->readers_));
        if (impl->isListed()) impl->noteApart(health);
        impl->describe();
        return impl;
    }

    /// Files to check for having been cut off while reading.
    void watch(std::vector<std::shared_ptr<const MappedFile>> files) { mappedFiles_ = std::move(files); }

    Result<void> run(etl::RecordSink& sink, TraceHealth& health, const std::stop_token& stop, Progress& progress) {
        const auto threads = etl::RecordMerge::usefulThreads(readers_, threadsBeside_);
        auto merge = isListed() ? etl::RecordMerge(readers_, health, threads)
                                : etl::RecordMerge(readers_.front(), ahead_, health, threads);
        etl::RecordBatch batch;
        progress.total = traceBytes_;
        auto releaseAt = kStaysMapped;
        for (;;) {
            if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Reading was cancelled."};
            batch.recycle();
            if (!merge.fill(batch, kFileBatchRecords)) break;
            progress.done.store(batch.bytesRead, std::memory_order_relaxed);
            if (batch.bytesRead >= releaseAt) {
                letGo();
                releaseAt = batch.bytesRead + kStaysMapped;
            }
            sink.onBatch(batch);
        }
        if (merge.isOutOfOrder()) return Error{ErrorKind::OutOfOrder, "Its buffers are not in the usual order."};
        progress.done = traceBytes_;
        letGo();
        if (!isListed()) noteBuffers();
        noteLost(merge);
        for (std::size_t i = 0; i < mappedFiles_.size(); ++i) {
            if (!mappedFiles_[i]->hasLostBytes()) continue;
            health.remark(fmt::format(
                "{} was cut off while it was being read, or its disk failed: part of it is missing.", paths_[i]));
        }
        return {};
    }

    void setThreadsBeside(unsigned threads) { threadsBeside_ = threads; }
    [[nodiscard]] const TraceProperties& properties() const { return properties_; }
    [[nodiscard]] const EtlFileFacts& facts() const { return facts_; }

  private:
    void noteApart(TraceHealth& health) const {
        if (auto apart = gapSentence(readers_); !apart.empty()) health.note(std::move(apart));
    }
    /// All traces in one archive share its limit.
    Result<void> add(std::vector<etl::FileImage> images, const etl::ExpansionLimit& limit, TraceHealth& health) {
        auto left = limit.recordBytes;
        for (auto& image : images) {
            if (readers_.size() == kMaxFiles)
                return Error{ErrorKind::Usage, "Too many trace files at once. Open fewer of them together."};
            traceBytes_ += image.bytes.size();
            auto reader = TRY(openReader(std::move(image), left, health));
            left -= std::min(left, reader.recordBytes());
            readers_.push_back(std::move(reader));
        }
        return {};
    }

    [[nodiscard]] bool isListed() const { return ahead_ == 0; }

    Result<etl::EtlReader> openReader(etl::FileImage image, std::uint64_t mostRecordBytes, TraceHealth& health) {
        if (!isListed() && image.file != nullptr) { // unpacked files are in memory and are listed at once
            auto part = etl::EtlReader::openPart(image, mostRecordBytes);
            if (!part.hasValue() || part.value().mayBeListedWhileRead()) return part;
        }
        ahead_ = 0;
        return etl::EtlReader::open(std::move(image), health, mostRecordBytes);
    }

    void describe() {
        properties_ = combinedProperties(readers_);
        properties_.paths = paths_;
        properties_.fileBytes = fileBytes_;
        if (isListed()) noteBuffers();
        for (const auto& reader : readers_)
            addFacts(reader);
    }

    void noteBuffers() {
        for (const auto& reader : readers_) {
            facts_.buffers += reader.buffers().found;
            facts_.buffersCompressed += reader.buffers().compressed;
            for (const auto& place : reader.buffers().places) {
                if (!place.isHeader) ++facts_.buffersByStream[place.processor];
            }
        }
    }

    /// Unmaps pages that were read. Records that still refer to them fault them in again.
    void letGo() const {
        for (const auto& file : mappedFiles_)
            file->letGo();
    }

    void noteLost(const etl::RecordMerge& merge) {
        facts_.earlyEnds.clear();
        facts_.lost.clear();
        for (std::size_t i = 0; i < readers_.size(); ++i) {
            const auto last = merge.newestTicks(i);
            std::ranges::move(lostParts(readers_[i], last), std::back_inserter(facts_.lost));
            if (readers_[i].endsEarly()) facts_.earlyEnds.push_back(earlyEnd(readers_[i], last));
        }
    }

    void addFacts(const etl::EtlReader& reader) {
        const auto& header = reader.header();
        facts_.isCircular = facts_.isCircular || (header.logMode & etl::log_mode::kCircular) != 0;
        auto& sessions = facts_.sessions;
        if (header.sessionName.empty()) return;
        if (std::find(sessions.begin(), sessions.end(), header.sessionName) == sessions.end())
            sessions.push_back(header.sessionName);
    }

    std::uint64_t ahead_ = 0; ///< 0: all buffers were listed first
    std::vector<etl::EtlReader> readers_;
    std::vector<std::string> paths_;
    std::vector<std::shared_ptr<const MappedFile>> mappedFiles_; ///< one per path, or empty
    TraceProperties properties_;
    EtlFileFacts facts_;
    unsigned threadsBeside_ = 0;
    std::uint64_t fileBytes_ = 0;
    std::uint64_t traceBytes_ = 0; ///< size of the traces after unpacking
};

Result<std::unique_ptr<EtlFileSource>> EtlFileSource::open(const std::vector<std::filesystem::path>& paths,
                                                           TraceHealth& health) {
    return openListedAhead(paths, health, 0);
}

Result<std::unique_ptr<EtlFileSource>> EtlFileSource::openListedAhead(const std::vector<std::filesystem::path>& paths,
                                                                      TraceHealth& health, std::uint64_t ahead) {
    if (paths.empty()) return Error{ErrorKind::Usage, "No trace was specified."};
    std::set<std::filesystem::path> named;
    std::vector<etl::FileImage> files;
    std::vector<std::shared_ptr<const MappedFile>> mapped;
    for (const auto& path : paths) {
        auto file = TRY(MappedFile::open(path));
        // A file opened twice would count every event twice, and every block would lose its free.
        std::error_code unknown;
        const auto canonical = std::filesystem::canonical(path, unknown);
        if (!unknown && !named.insert(canonical).second) {
            return Error{ErrorKind::Usage, fmt::format("{} was specified twice.", utf8(path))};
        }
        const auto bytes = file->bytes();
        mapped.push_back(std::move(file));
        files.push_back({bytes, mapped.back(), utf8(path), mapped.back()});
    }
    auto impl = TRY(Impl::create(std::move(files), health, ahead));
    impl->watch(std::move(mapped));
    return std::unique_ptr<EtlFileSource>(new EtlFileSource(std::move(impl)));
}

Result<std::unique_ptr<EtlFileSource>> EtlFileSource::fromMemory(std::vector<std::byte> bytes, std::string name,
                                                                 TraceHealth& health) {
    const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    std::vector<etl::FileImage> files{{*owned, owned, std::move(name)}};
    auto impl = TRY(Impl::create(std::move(files), health, 0));
    return std::unique_ptr<EtlFileSource>(new EtlFileSource(std::move(impl)));
}

EtlFileSource::EtlFileSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EtlFileSource::~EtlFileSource() = default;

void EtlFileSource::setThreadsBeside(unsigned threads) { impl_->setThreadsBeside(threads); }
const TraceProperties& EtlFileSource::properties() const { return impl_->properties(); }
EtlFileFacts EtlFileSource::facts() const { return impl_->facts(); }

Result<void> EtlFileSource::run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) {
    return impl_->run(sink, health, stop, progress);
}

} // namespace highwater::source
