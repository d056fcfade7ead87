#include "core/pipeline/spool/recording_saver.h"

#include "core/base/counted.h"
#include "core/base/within_memory.h"
#include "core/pipeline/spool/saved_file.h"

#include <fmt/format.h>

#include <system_error>

namespace highwater::pipeline {

Result<std::string> RecordingSaver::save(const std::filesystem::path& path, const Moment& moment,
                                         const AddLate& addLate) {
    const std::lock_guard oneAtATime(mutex_);
    return withinMemory([&] { return saveNow(path, moment, addLate); });
}

std::optional<std::filesystem::path> RecordingSaver::leave(const RecordingLosses& lost) {
    const std::lock_guard oneAtATime(mutex_);
    (void)file_.complete(lost);
    return file_.leave();
}

Result<std::string> RecordingSaver::saveNow(const std::filesystem::path& path, const Moment& moment,
                                            const AddLate& addLate) {
    if (moment.hasEnded) addLate(late_); // nothing is late before the end
    const bool isAnew = !late_.records.empty() && file_.isClosed();
    TRY(isAnew ? saveAnew(path, moment.lost) : saveFile(path, moment));
    return whatIsMissing();
}

Result<void> RecordingSaver::saveFile(const std::filesystem::path& path, const Moment& moment) {
    const SpoolFile::Reading reading(file_);
    if (!late_.records.empty()) file_.write(late_.records);
    late_.recycle();
    auto bytes = file_.complete(moment.lost);
    if (bytes == 0) {
        const auto error = file_.errors().file;
        return cannotSave(path, "nothing was written. " + (error ? error->message : "The recording has not started."));
    }
    if (moment.hasEnded) {
        file_.packRest();
        if (file_.moveTo(path)) return {};
        bytes = file_.bytes();
    }
    return saveCopy(file_.place(), bytes, path);
}

/// A file that was saved after the end is closed, so later records require a new file. They stay queued unless the
/// recording's own file was replaced.
Result<void> RecordingSaver::saveAnew(const std::filesystem::path& path, const RecordingLosses& lost) {
    const auto place = file_.place();
    TRY(saveWithLate(place, late_.records, lost, compression_, path));
    std::error_code failed;
    if (std::filesystem::equivalent(place, path, failed)) late_.recycle();
    return {};
}

std::string RecordingSaver::whatIsMissing() const {
    const auto errors = file_.errors();
    if (errors.file) {
        const auto lacks = file_.eventsAfterCut() + eventsInGaps_();
        const auto howMuch = lacks > 0 ? fmt::format(" It lacks at least {}.", counted(lacks, "event")) : "";
        return fmt::format("The file ends before the recording does.{} {}", howMuch, errors.file->message);
    }
    std::string remark;
    if (const auto missing = eventsInGaps_(); missing > 0)
        remark = fmt::format("{} {} missing from the file: the disk could not keep up.", counted(missing, "event"),
                             byNumber(missing, "is", "are"));
    if (errors.sync)
        remark += fmt::format("{}The disk did not confirm that it stored the whole file. Keep another copy. {}",
                              remark.empty() ? "" : " ", errors.sync->message);
    return remark;
}

} // namespace highwater::pipeline
