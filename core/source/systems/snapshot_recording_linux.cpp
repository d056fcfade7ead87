#include "core/source/contract/snapshot_recording.h"

namespace highwater::source {

Result<std::unique_ptr<SnapshotRecording>> startSnapshotRecording(const SnapshotPlan&) {
    return Error{ErrorKind::Unsupported,
                 "Heap snapshots with wpr are available only on Windows. Record the program instead."};
}

} // namespace highwater::source
