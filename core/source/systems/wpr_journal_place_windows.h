#pragma once

#include "core/source/wpr/wpr_journal.h"

namespace highwater::source {

/// The journal of this user, next to the log in %LOCALAPPDATA%\highwater.
[[nodiscard]] WprJournal wprJournalOfUser();

} // namespace highwater::source
