#include "core/pipeline/core_files/core_file.h"

#include "core/base/text.h"
#include "core/pipeline/core_files/core_bytes.h"
#include "core/pipeline/core_files/core_mappings.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace highwater::pipeline {

Result<std::unique_ptr<CoreFile>> CoreFile::open(const std::filesystem::path& path, const std::stop_token& stop) {
    auto bytes = TRY(openCoreBytes(path, stop));
    return of(std::move(bytes.file), utf8(path), std::move(bytes.data));
}

Result<std::unique_ptr<CoreFile>> CoreFile::of(std::shared_ptr<const MappedFile> file, std::string_view name,
                                               std::vector<FileRange> data) {
    auto contents = TRY(readCore(file->bytes(), name));
    contents.data = std::move(data);
    std::unique_ptr<CoreFile> core(new CoreFile(std::move(file), std::move(contents)));
    auto found =
        mappingsOf(core->contents_, [&core](Address from, std::span<std::byte> to) { return core->read(from, to); });
    core->mappings_ = std::move(found.sample);
    core->missing_ = found.missing;
    return core;
}

std::size_t CoreFile::read(Address from, std::span<std::byte> to) const {
    const auto& segments = contents_.segments;
    auto segment = std::ranges::upper_bound(segments, from, {}, &CoreSegment::begin);
    if (segment == segments.begin()) return 0;
    std::size_t done = 0;
    for (--segment; segment != segments.end() && done < to.size(); ++segment) {
        const auto at = from + done;
        if (at < segment->begin || at - segment->begin >= segment->bytes) break;
        const auto within = at - segment->begin;
        const auto wanted = to.subspan(done, std::min<std::uint64_t>(to.size() - done, segment->bytes - within));
        done += file_->read(segment->offset + within, wanted).size();
    }
    return done;
}

} // namespace highwater::pipeline
