#pragma once

namespace highwater::source {

/// Whether breakpoints of the processor stop threads on this machine. Some virtual machines take them and never stop
/// anybody. Tried once, on a child of this process, within some milliseconds. Any thread, but not where forking is
/// dangerous: for highwater-attach.
[[nodiscard]] bool processorBreakpointsStop();

} // namespace highwater::source
