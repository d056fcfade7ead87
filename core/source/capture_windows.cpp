#include "core/source/capture.h"

namespace highwater::source {
namespace {

Error notHere() {
    return {ErrorKind::Unsupported, "This version of Highwater does not record on Windows. Record with Windows "
                                    "Performance Recorder and open the .etl here."};
}

} // namespace

Result<std::unique_ptr<RecordSource>> startCapture(const CaptureLaunch&, const CaptureOptions&) { return notHere(); }
Result<std::unique_ptr<RecordSource>> startCapture(std::uint32_t, const CaptureOptions&) { return notHere(); }

} // namespace highwater::source
