#include "ui/format/size.h"

#include <QCoreApplication>
