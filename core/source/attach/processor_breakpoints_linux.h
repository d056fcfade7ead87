#pragma once

namespace highwater::source {

/// Whether processor breakpoints stop threads on this machine. Some virtual machines accept them but never stop a
/// thread. Tested once, on a child of this process, within some milliseconds. Any thread, but only where forking is
/// safe: for highwater-attach.
[[nodiscard]] bool processorBreakpointsStop();

} // namespace highwater::source
