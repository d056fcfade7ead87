#pragma once

/// As docs/format.md says it.
/// As docs/notes.md says it.
/// As guide.md says it.
