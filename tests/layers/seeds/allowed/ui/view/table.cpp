#include "ui/model/rows.h"
#include "table.moc"
