#pragma once

/// Right: docs/the-format.md 1.1. Wrong: the-format 1.1.
