#include "core/etl/reader.h"
