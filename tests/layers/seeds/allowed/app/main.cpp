#include "core/source/etw_session_windows.h"
#include "ui/model/rows.h"
