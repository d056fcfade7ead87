#pragma once

#include "core/base/guid.h"

#include <string>

namespace highwater::source {

/// Identifies the recording computer in Highwater's recordings (system_records.h, addMachine). It shows that a trace
/// was recorded on this computer, so that its paths refer to the same files. It only proves that the author of the
/// trace had the id. The id cannot be guessed, but is part of every recording, so anyone who received one can forge
/// another. For this reason only access to plain paths on local drives depends on it (trustedPath). One-way: it does
/// not reveal the system's own identity, which should be kept private. Without such an identity (usually in a
/// container) it is valid until the next boot; Guid{}: not available. Any thread.
[[nodiscard]] const Guid& machineId();

/// A hash of the system's own identity. "" results in Guid{}.
[[nodiscard]] Guid machineIdOf(const std::string& systemIdentity);

/// The system's identity: /etc/machine-id or else the id of this boot, on Windows MachineGuid. "": not available.
[[nodiscard]] std::string systemIdentity();

} // namespace highwater::source
