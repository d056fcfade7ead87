#pragma once

#include "core/base/units.h"

#include <QChar>

namespace highwater::ui {

inline constexpr QChar kMinus{0x2212};

} // namespace highwater::ui
