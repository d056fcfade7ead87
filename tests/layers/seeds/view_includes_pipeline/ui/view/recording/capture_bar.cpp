#include "core/pipeline/pipeline.h"
