#include "app/cli/options/options.h"
#include "app/settings/settings.h"
#include "ui/format/size.h"

#include <QCoreApplication>
