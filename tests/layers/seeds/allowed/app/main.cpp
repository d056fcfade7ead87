#include "core/source/etw/etw_session_windows.h"
#include "ui/model/rows.h"
