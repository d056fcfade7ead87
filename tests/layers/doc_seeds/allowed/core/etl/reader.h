#pragma once

/// Buffers (docs/format.md 1.1), and what else docs/format.md sections 1 and
/// 2 say. It takes docs/format.md 40% less: no section. A page may end here: docs/format.md
/// 1.1, 2.
