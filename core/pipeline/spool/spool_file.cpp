#include "core/pipeline/spool/spool_file.h"

#include "core/files/output_file.h"
#include "core/log/log.h"
#include "core/pipeline/spool/saved_file.h"

#include <system_error>
#include <utility>

namespace highwater::pipeline {

SpoolFile::SpoolFile(Options options)
    : options_(std::move(options)),
      place_(options_.place),
      isOurs_(options_.output != nullptr),
      sync_(options_.syncEvery, [this](const Error& error) { errors_.reportSync(error); }) {}

SpoolFile::~SpoolFile() {
    if (!isOurs_) return;
    close(); // Windows does not delete open files
    options_.output.reset();
    std::error_code gone;
    std::filesystem::remove(place_, gone);
}

void SpoolFile::open(const TraceProperties& properties) {
    const std::lock_guard lock(mutex_);
    properties_ = properties;
    if (auto opened = openFirst(properties); !opened.hasValue()) errors_.reportFile(opened.error());
}

Result<void> SpoolFile::openFirst(const TraceProperties& properties) {
    auto output = std::exchange(options_.output, nullptr);
    if (!output) {
        auto created = TRY(OutputFile::createNew(options_.place));
        output = etl::outputTo(std::move(created));
    }
    auto opened = TRY(openSpool(std::move(output), options_.place, properties, options_.packing));
    adopt(std::move(opened));
    isOurs_ = true;
    return {};
}

void SpoolFile::adopt(OpenSpool file) {
    file_ = std::move(file);
    sync_.setFile(file_.output);
}

void SpoolFile::close() {
    sync_.setFile(nullptr);
    file_.close();
}

void SpoolFile::write(std::span<const etl::RawRecord> records) {
    const std::lock_guard lock(mutex_);
    if (!file_.spool) return;
    note(file_.spool->write(records));
    if (options_.keepsNewest) facts_.take(records);
    if (!next_) return;
    if (auto written = next_->write(records); written.hasValue()) {
        nextBytes_.store(next_->bytesWritten(), std::memory_order_relaxed);
    } else {
        errors_.reportNext(written.error());
        next_.reset();
    }
}

void SpoolFile::flush() {
    const std::lock_guard lock(mutex_);
    if (file_.spool && file_.spool->hasUnflushed()) note(file_.spool->flush());
}

void SpoolFile::flushAll() {
    const std::lock_guard lock(mutex_);
    if (file_.spool && file_.spool->hasUnflushed()) note(file_.spool->flushAll());
}

void SpoolFile::beginNext(std::int64_t startTicks, std::uint64_t eventsInGaps) {
    const std::lock_guard lock(mutex_);
    gapsBeforeNext_ = eventsInGaps;
    nextBytes_.store(0, std::memory_order_relaxed);
    if (!file_.spool) return;
    auto next = NextSpool::create(
        {.place = place_, .startTicks = startTicks, .properties = properties_, .packing = options_.packing}, facts_);
    if (!next.hasValue()) return errors_.reportNext(next.error());
    next_ = std::move(next).value();
}

bool SpoolFile::continueInNext(const CarryOver& state) {
    const std::lock_guard lock(mutex_);
    if (isRead_) return false;
    const auto next = std::move(next_);
    if (!next || !file_.spool || !putNextInPlace(*next, state)) return true;
    afterCut_.store(0, std::memory_order_relaxed);
    olderGaps_.store(gapsBeforeNext_, std::memory_order_relaxed);
    bytes_.store(file_.spool->bytesWritten(), std::memory_order_relaxed);
    errors_.clear(); // those of the removed file
    return true;
}

bool SpoolFile::putNextInPlace(NextSpool& next, const CarryOver& state) {
    if (auto completed = next.complete(state); !completed.hasValue()) {
        errors_.reportNext(completed.error());
        return false;
    }
    close(); // Windows does not replace open files
    auto taken = next.takePlace();
    if (!taken.hasValue()) {
        errors_.reportFile(taken.error());
        return false;
    }
    adopt(std::move(taken).value());
    return true;
}

void SpoolFile::giveUpNext(const Error& why) {
    errors_.reportFile(why);
    const std::lock_guard lock(mutex_);
    if (std::exchange(next_, nullptr)) errors_.reportNext(why);
}

void SpoolFile::dropNext() {
    const std::lock_guard lock(mutex_);
    next_.reset();
}

void SpoolFile::Reading::set(bool isRead) {
    const std::lock_guard lock(file_.mutex_);
    file_.isRead_ = isRead;
}

std::uint64_t SpoolFile::complete(const RecordingLosses& lost) {
    std::uint64_t bytes = 0;
    {
        const std::lock_guard lock(mutex_);
        if (file_.spool) note(file_.spool->finish(lost));
        bytes = bytes_.load(std::memory_order_relaxed);
    }
    if (auto synced = sync_.syncNow(); !synced.hasValue()) errors_.reportSync(synced.error());
    return bytes;
}

void SpoolFile::packRest() {
    const std::lock_guard lock(mutex_);
    if (!isOurs_ || !file_.spool || file_.spool->error() || file_.spool->buffersLeftPlain() == 0) return;
    close(); // Windows does not replace open files
    const auto bytes = packInPlace(place_);
    if (bytes.hasValue())
        bytes_.store(bytes.value(), std::memory_order_relaxed);
    else
        log(LogLevel::Warning, LogArea::Save, "The recording is not fully compressed: " + bytes.error().message);
}

bool SpoolFile::moveTo(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    close();
    if (!isOurs_) return false;
    std::error_code failed;
    std::filesystem::rename(place_, path, failed);
    if (failed) return false;
    place_ = path;
    isOurs_ = false;
    return true;
}

std::optional<std::filesystem::path> SpoolFile::leave() {
    const std::lock_guard lock(mutex_);
    close();
    if (!isOurs_ || bytes() == 0) return std::nullopt;
    isOurs_ = false;
    return place_;
}

bool SpoolFile::isClosed() const {
    const std::lock_guard lock(mutex_);
    return file_.output == nullptr && bytes() > 0;
}

std::filesystem::path SpoolFile::place() const {
    const std::lock_guard lock(mutex_);
    return place_;
}

void SpoolFile::note(const Result<void>& result) {
    bytes_.store(file_.spool->bytesWritten(), std::memory_order_relaxed);
    sync_.noteWritten();
    if (file_.spool->error()) afterCut_.store(file_.spool->eventsAfterError(), std::memory_order_relaxed);
    if (!result.hasValue()) errors_.reportFile(result.error());
}

} // namespace highwater::pipeline
