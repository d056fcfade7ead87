#pragma once

#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/trace_loader.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

namespace highwater {

inline constexpr std::uint64_t kManyBytes = std::uint64_t{1} << 30;

/// A trace in a folder of its own, and a folder for its index.
class IndexStage {
  public:
    IndexStage() : trace_(writeFile(folder_, "t1.etl", fixtures::exercise2Trace().bytes().value())) {}

    [[nodiscard]] const std::filesystem::path& trace() const { return trace_; }
    [[nodiscard]] std::filesystem::path indexes() const { return folder_.filePath("indexes").toStdString(); }
    [[nodiscard]] pipeline::TraceIndexCache::Options options() const {
        return {.folder = indexes(), .limitBytes = kManyBytes, .leastTraceBytes = 0};
    }
    /// The only index file.
    [[nodiscard]] std::filesystem::path index() const {
        std::filesystem::path found;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(indexes(), error))
            found = entry.path();
        return found;
    }
    void open(const pipeline::TraceIndexCache::Options& options) const {
        pipeline::TraceLoader loader({trace_}, std::make_shared<pipeline::TraceIndexCache>(options));
        loader.wait();
        QCOMPARE(loader.state(), pipeline::LoadState::Finished);
    }
    /// The contents of an index; nothing: it is missing or unusable.
    [[nodiscard]] std::optional<pipeline::IndexedTrace> find() const {
        const pipeline::TraceIndexCache cache(options());
        return cache.find(cache.keyOf({trace_}), {trace_});
    }

  private:
    QTemporaryDir folder_;
    std::filesystem::path trace_;
};

inline void changeByte(const std::filesystem::path& path, std::int64_t at) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
}

} // namespace highwater
