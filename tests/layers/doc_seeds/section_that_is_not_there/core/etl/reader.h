#pragma once

/// Buffers (docs/format.md 1 and 3).
