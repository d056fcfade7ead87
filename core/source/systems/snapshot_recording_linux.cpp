#include "core/source/contract/snapshot_recording.h"

namespace highwater::source {

Result<std::unique_ptr<SnapshotRecording>> startSnapshotRecording(const SnapshotPlan&) {
    return Error{
        ErrorKind::Unsupported,
        "Heap snapshots by wpr are taken by Windows itself, and this is not Windows: record the program instead."};
}

} // namespace highwater::source
